#include "CDependencyInjection.h"

#include <stdatomic.h>
#include <stdint.h>

void di_end_read(void *sequence) {
    // Only the thread that reads changes the word.
    _Atomic(uintptr_t) *word = sequence;
    atomic_store_explicit(word, atomic_load_explicit(word, memory_order_relaxed) + 1, memory_order_release);
}
