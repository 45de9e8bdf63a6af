/* The raw library calls that ours are measured beside, the clock, and the count of heap allocations. */
#ifndef BENCHMARKS_H
#define BENCHMARKS_H

#include <stddef.h>
#include <stdint.h>

/* What is measured. 0 if it did not do what it should. */
typedef int (*benchmark_operation)(void *context);

/* The processor time of `count` operations in nanoseconds; 0 if one failed. They run `stack_offset` bytes further down the
   stack: where a function's frame happens to lie changes the time of some by a tenth, so it is varied, not left to luck. */
uint64_t benchmark_time(benchmark_operation operation, void *context, size_t count, size_t stack_offset);

/* How often this process has allocated memory, grown blocks included; 0 where that cannot be counted. */
uint64_t benchmark_allocations(void);

/* The most memory this process has had at once, in bytes. */
uint64_t benchmark_peak_bytes(void);

/* The least work that verifies: a key and contexts held ready, the digest fetched once. */
typedef struct benchmark_key benchmark_key;

benchmark_key *benchmark_key_p256(const uint8_t *x, const uint8_t *y);
benchmark_key *benchmark_key_rsa(const uint8_t *modulus, size_t modulus_length, const uint8_t *exponent,
                                 size_t exponent_length);
benchmark_key *benchmark_key_ed25519(const uint8_t *point);

/* 1 if the signature is valid; ECDSA's in DER. */
int benchmark_verify(benchmark_key *key, const uint8_t *signature, size_t signature_length, const uint8_t *message,
                     size_t message_length);

/* The SHA-256 of a message: 32 bytes. */
void benchmark_sha256(const uint8_t *message, size_t message_length, uint8_t *digest);

#endif
