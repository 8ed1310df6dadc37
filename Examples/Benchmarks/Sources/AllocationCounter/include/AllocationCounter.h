#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdbool.h>
#include <stddef.h>

/// Whether allocations are counted on this platform: with glibc only.
bool allocation_counter_is_available(void);

/// How often the calling thread has asked the allocator for memory.
size_t allocation_counter_calls(void);

/// How many bytes, with the allocator's own, the calling thread has been given so far.
size_t allocation_counter_bytes(void);

/// How many bytes of the heap the process holds now.
size_t allocation_counter_bytes_in_use(void);

#endif
