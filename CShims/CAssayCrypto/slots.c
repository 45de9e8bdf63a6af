#include "internal.h"

void assayci_slots_initialise(assayci_slots *slots) {
  for (size_t index = 0; index < ASSAYCI_SLOTS; index++) atomic_init(&slots->slot[index], NULL);
}

void *assayci_slots_take(assayci_slots *slots) {
  for (size_t index = 0; index < ASSAYCI_SLOTS; index++) {
    /* Looking first keeps the cache line shared while there is nothing to take. */
    if (atomic_load_explicit(&slots->slot[index], memory_order_relaxed) == NULL) continue;
    void *object = atomic_exchange_explicit(&slots->slot[index], NULL, memory_order_acquire);
    if (object != NULL) return object;
  }
  return NULL;
}

bool assayci_slots_put(assayci_slots *slots, void *object) {
  for (size_t index = 0; index < ASSAYCI_SLOTS; index++) {
    void *expected = NULL;
    if (atomic_compare_exchange_strong_explicit(&slots->slot[index], &expected, object, memory_order_release,
                                                memory_order_relaxed))
      return true;
  }
  return false;
}
