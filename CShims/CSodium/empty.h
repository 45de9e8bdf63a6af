/* Empty on purpose: this module only links libsodium. Its headers are included by CAssayCrypto alone. */
