/* Plays the host of the library: puts errors of its own into OpenSSL's queue of this thread, and looks at them again. */
#ifndef ERROR_QUEUE_PROBE_H
#define ERROR_QUEUE_PROBE_H

#include <stddef.h>
#include <stdint.h>

/* Empties the queue and puts `count` different errors into it. */
void error_queue_fill(size_t count);

/* Empties the queue into `fingerprints`, one of everything OpenSSL keeps about each error. Returns how many there were. */
size_t error_queue_drain(uint64_t *fingerprints, size_t capacity);

#endif
