/*
 * Reads without a lock. Readers announce their reads. The writer waits for announced reads before it releases a table
 * or an object.
 *
 * A table has slots, and a slot has a word and an object. Readers search the current table for a word, and retain the
 * object in its slot. Concurrently, the writer makes three changes, in one of two orders. It replaces the object of a
 * word, removes an object, and adds a word, for which the table has to grow. Each change unlinks an object or a table,
 * waits for the readers, and then releases the unlinked object or table.
 *
 * The checker searches every order of the steps. It refuses the model if
 *
 * - a thread uses a freed table, object or record,
 * - a reader finds a word without its object,
 * - a thread waits forever, or
 * - an object is leaked or released twice.
 *
 * Each step reads or writes one shared variable. A processor may delay a store until after later steps of its thread.
 * The model delays only the store that ends a read, because the code waits until its other stores are written. Each
 * flag in an `#ifdef` breaks one rule. The checker has to refuse the model with that flag: see `steps/models`.
 */

#ifndef READERS
#define READERS 2
#endif
#define READS 2
#define NONE 255

/* The number of references to each object. An object without references is freed. */
#define OLD 0
#define NEW 1
#define OTHER 2
byte references[3];

/* The tables. The first has slot 0, and the second has slots 2 and 3. */
byte contents = 0;              /* the current table */
bool freed[2];
byte word[4];                   /* 0 for a vacant slot */
byte object[4];

/* The records of the readers. */
byte sequence[READERS];         /* odd during a read */
bool listed[READERS];
bool dropped[READERS];          /* whether the record is freed */
bool locked = false;            /* the lock of the list */
bool pending[READERS];          /* whether the store that ends a read is delayed */

#ifdef UNLINKING_DELAYED                /* breaks R3: the store of the new object is delayed */
byte delayed = NONE;
byte delayedObject;
#endif

inline lock() { atomic { !locked -> locked = true } }
inline unlock() { locked = false }

inline retain(which) { atomic { assert(references[which] > 0); references[which]++ } }
inline release(which) { atomic { assert(references[which] > 0); references[which]-- } }

/* ---- Readers ---- */

/* R1: the announcement is written before the first step of the read. */
inline announce() {
#ifdef NO_ANNOUNCEMENT                  /* breaks R1 */
    skip
#else
    !pending[me];
#ifdef ANNOUNCEMENT_DELAYED             /* breaks R1: the store of the announcement is delayed */
    pending[me] = true
#else
    sequence[me]++
#endif
#endif
}

/* R2: a read ends after its copy, because the store that ends it is written after all earlier steps. */
inline endRead() {
#ifndef NO_ANNOUNCEMENT
    !pending[me];
    pending[me] = true
#else
    skip
#endif
}

/* Searches the current table for a word, and reads the object in its slot. */
inline find(wanted, found) {
    table = contents;
#ifdef ANNOUNCED_LATE                   /* breaks R1 */
    announce();
#endif
    index = 2 * table;
    found = NONE;
    do
    :: index > 3 * table -> break       /* after the last slot, which is 0 in the first table and 3 in the second */
    :: else ->
        assert(!freed[table]);
        seen = word[index];
        if
        :: seen == 0 -> break
        :: seen == wanted ->
            assert(!freed[table]);
            found = object[index];
            assert(wanted != 2 || found != NONE);
            break
        :: else -> index++
        fi
    od
}

proctype Reader(byte me) {
    byte table, index, seen, found, reads;
    byte wanted;

    /* R6: a record is in the list before the first read. */
#ifndef LISTED_LATE
    lock(); listed[me] = true; unlock();
#endif
    do
    :: reads == READS -> break
    :: reads < READS ->
        reads++;
        select (wanted : 1 .. 2);
#ifndef ANNOUNCED_LATE
        announce();
#endif
        find(wanted, found);
#ifdef ENDED_BEFORE_COPY                /* breaks R2 */
        endRead();
#endif
        if
        :: found != NONE -> retain(found)
        :: else -> skip
        fi;
#ifndef ENDED_BEFORE_COPY
        endRead();
#endif
#ifdef LISTED_LATE                      /* breaks R6 */
        lock(); listed[me] = true; unlock();
#endif
        if
        :: found != NONE -> release(found)
        :: else -> skip
        fi
    :: reads < READS ->
        /* The thread is canceled during a read. */
        announce();
        break
    od;
    /* R7: a record ends the read of its thread, and leaves the list, before it is freed. */
    !pending[me];
#ifndef CANCELED_DURING_READ            /* breaks R7 */
    if
    :: sequence[me] % 2 == 1 -> sequence[me]++
    :: else -> skip
    fi;
#endif
#ifdef DROPPED_WITHOUT_LOCK             /* breaks R7 */
    listed[me] = false;
#else
    lock(); listed[me] = false; unlock();
#endif
    dropped[me] = true
}

/* The processor performs delayed stores at any time. */
active proctype Processor() {
    byte thread;
end:
    do
    :: atomic { pending[0] -> sequence[0]++; pending[0] = false }
#if READERS > 1
    :: atomic { pending[1] -> sequence[1]++; pending[1] = false }
#endif
#ifdef UNLINKING_DELAYED
    :: atomic { delayed != NONE -> object[delayed] = delayedObject; delayed = NONE }
#endif
    od
}

/* ---- The writer ---- */

/* Waits for the writer's delayed store, because the writer sees its own stores in order and releases after them. */
inline awaitStore() {
#ifdef UNLINKING_DELAYED
    delayed == NONE
#else
    skip
#endif
}

/* Stores another object in a slot. The caller owns the reference to the old one. */
inline exchange(slot, new, old) {
    awaitStore();
#ifdef UNLINKING_DELAYED
    old = object[slot];
    atomic { delayed = slot; delayedObject = new }
#else
    atomic { old = object[slot]; object[slot] = new }
#endif
}

/* R4: waits until every announced read has ended. Records can't be freed while the lock is held. */
inline waitForReaders() {
#ifndef NO_WAIT                         /* breaks R4 */
    lock();
    reader = 0;
    do
    :: reader == READERS -> break
    :: else ->
        if
        :: listed[reader] ->
            assert(!dropped[reader]);
            before = sequence[reader];
            if
            :: before % 2 == 1 -> sequence[reader] != before; assert(!dropped[reader])
            :: else -> skip
            fi
        :: else -> skip
        fi;
        reader++
    od;
    unlock()
#else
    skip
#endif
}

/* R3: releases an object after it was unlinked, and after the reads that may have found it have ended. */
inline retire(which) {
#ifndef WAITED_BEFORE_UNLINKING
    waitForReaders();
#endif
    awaitStore();
    release(which)
}

inline replace() {
#ifdef WAITED_BEFORE_UNLINKING          /* breaks R3 */
    waitForReaders();
#endif
    references[NEW] = 1;
    exchange(2 * current, NEW, old);
    retire(old)
}

inline remove() {
#ifdef WAITED_BEFORE_UNLINKING
    waitForReaders();
#endif
    exchange(2 * current, NONE, old);
    retire(old)
}

/* Adds the second word. The table is full, so a larger copy replaces it. */
inline add() {
    awaitStore();
    old = object[0];
#ifndef COPIED_WITHOUT_RETAINING        /* breaks R8: each table retains its objects */
    retain(old);
#endif
    atomic { object[2] = old; word[2] = 1 }     /* no other thread can see the copy yet */
    contents = 1;
    current = 1;
    /* R5: the word is written after the object. */
    references[OTHER] = 1;
#ifdef WORD_BEFORE_OBJECT               /* breaks R5 */
    word[3] = 2;
    object[3] = OTHER;
#else
    object[3] = OTHER;
    word[3] = 2;
#endif
#ifndef TABLE_FREED_IMMEDIATELY         /* breaks R4: a table is released like an object */
    waitForReaders();
#endif
    freed[0] = true;
    old = object[0];
    release(old)
}

proctype Writer() {
    byte reader, before, old, current;
    if
    :: replace(); add(); remove()
    :: add(); replace(); remove()
    fi
}

init {
    atomic {
        references[OLD] = 1;
        word[0] = 1;
        object[0] = OLD; object[1] = NONE; object[2] = NONE; object[3] = NONE;
        run Writer();
        run Reader(0);
#if READERS > 1
        run Reader(1);
#endif
    }
    _nr_pr == 2;
    assert(references[OLD] == 0 && references[NEW] == 0 && references[OTHER] == 1)
}
