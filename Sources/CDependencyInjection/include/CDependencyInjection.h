#ifndef CDEPENDENCYINJECTION_H
#define CDEPENDENCYINJECTION_H

// The parts of the C library that the Swift code uses. Their module has another name on each platform.
#include <pthread.h>
#include <unistd.h>

// Adds 1 to an atomic word with release ordering, which ends a read: see ThreadRecord.swift.
//
// The function isn't inline, so that the Swift compiler doesn't know what it does. Otherwise, the compiler might move the
// copy of a value behind the end of the read that protects the value.
void di_end_read(void *sequence);

#endif
