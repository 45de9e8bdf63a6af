#include <alloca.h>
#include <sys/resource.h>
#include <time.h>

#include "benchmarks.h"

static uint64_t clock_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

uint64_t benchmark_time(benchmark_operation operation, void *context, size_t count, size_t stack_offset) {
  volatile char *gap = alloca(stack_offset + 1);
  gap[0] = 0;
  uint64_t start = clock_ns();
  for (size_t done = 0; done < count; done++)
    if (operation(context) == 0) return 0;
  return clock_ns() - start;
}

uint64_t benchmark_peak_bytes(void) {
  struct rusage usage;
  if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
#if defined(__APPLE__)
  return (uint64_t)usage.ru_maxrss;
#else
  return (uint64_t)usage.ru_maxrss * 1024;
#endif
}
