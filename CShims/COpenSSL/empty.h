/* Empty on purpose: this module only links libcrypto. Its headers are included by CAssayCrypto alone. */
