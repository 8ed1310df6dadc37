// Counts allocations by standing in front of glibc's allocator: functions of an executable take precedence over those of
// a library of the same name, also for calls that come from other libraries, the Swift runtime among them. The price is
// an addition in thread-local memory for each allocation; rows and baselines pay it alike.

#include "AllocationCounter.h"

#if defined(__linux__)
#include <features.h>
#endif

#if defined(__GLIBC__)

#include <errno.h>
#include <malloc.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static _Thread_local size_t calls;
static _Thread_local size_t bytes;

static inline void *counted(void *memory) {
    calls += 1;
    // Each block has one word in front of it.
    if (memory) bytes += malloc_usable_size(memory) + sizeof(size_t);
    return memory;
}

void *malloc(size_t size) { return counted(__libc_malloc(size)); }

void *calloc(size_t count, size_t size) { return counted(__libc_calloc(count, size)); }

void *realloc(void *memory, size_t size) { return counted(__libc_realloc(memory, size)); }

void *memalign(size_t alignment, size_t size) { return counted(__libc_memalign(alignment, size)); }

void *aligned_alloc(size_t alignment, size_t size) { return counted(__libc_memalign(alignment, size)); }

int posix_memalign(void **result, size_t alignment, size_t size) {
    void *memory = counted(__libc_memalign(alignment, size));
    if (!memory) return ENOMEM;
    *result = memory;
    return 0;
}

bool allocation_counter_is_available(void) { return true; }
size_t allocation_counter_calls(void) { return calls; }
size_t allocation_counter_bytes(void) { return bytes; }

size_t allocation_counter_bytes_in_use(void) {
    struct mallinfo2 information = mallinfo2();
    return information.uordblks + information.hblkhd;
}

#else

bool allocation_counter_is_available(void) { return false; }
size_t allocation_counter_calls(void) { return 0; }
size_t allocation_counter_bytes(void) { return 0; }
size_t allocation_counter_bytes_in_use(void) { return 0; }

#endif
