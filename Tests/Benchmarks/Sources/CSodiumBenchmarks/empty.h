/* Empty on purpose: this module only links libsodium. */
