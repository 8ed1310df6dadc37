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
 * - a thread uses a freed table or object,
 * - a reader finds a word without its object,
 * - a thread waits forever, or
 * - an object is leaked or released twice.
 *
 * Each step reads or writes one shared variable. A processor may delay a store until after later steps of its thread.
 * The model delays only the store that ends a read, because the code waits until its other stores are written. Each
 * flag in an `#ifdef` breaks one rule. The checker has to refuse the model with that flag: see `steps/models`.
 */

#define READERS 2
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

/* The records of the readers. A thread that has ended has left record 0. */
byte list = 1;                  /* the records in the list, one bit each */
byte added = 1;                 /* the number of records, in the list or not */
bool inUse[READERS];
byte sequence[READERS];         /* odd during a read */
bool pending[READERS];          /* whether the store that ends a read is delayed */

#ifdef UNLINKING_DELAYED                /* breaks R3: the store of the new object is delayed */
byte delayed = NONE;
byte delayedObject;
#endif

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

/* R7: one thread takes over the record of a thread that has ended. */
inline takeOver(record) {
#ifdef TAKEN_OVER_IN_TWO_STEPS          /* breaks R7: another thread may take the record between the steps */
    taken = inUse[record];
    inUse[record] = true;
#else
    atomic { taken = inUse[record]; inUse[record] = true }
#endif
    if
    :: !taken -> me = record
    :: else -> skip
    fi
}

/* R6: a record is in the list before the first read. */
inline acquireRecord() {
    takeOver(0);
    if
    :: me == NONE && (list & 2) -> takeOver(1)
    :: else -> skip
    fi;
    if
    :: me == NONE ->
        /* No other thread can see the new record yet. */
        atomic { me = added; added++; inUse[me] = true }
#ifndef LISTED_LATE
        list = list | (1 << me)
#endif
    :: else -> skip
    fi
}

proctype Reader() {
    byte table, index, seen, found, reads;
    byte wanted;
    byte me = NONE;
    bool taken;

    acquireRecord();
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
        list = list | (1 << me);
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
    /* R7: a record ends the read of its thread before another thread may take the record over. */
#ifdef LEFT_DURING_READ                 /* breaks R7 */
    inUse[me] = false;
#endif
    !pending[me];
#ifndef CANCELED_DURING_READ            /* breaks R7 */
    if
    :: sequence[me] % 2 == 1 -> sequence[me]++
    :: else -> skip
    fi;
#endif
#ifndef LEFT_DURING_READ
    inUse[me] = false
#endif
}

/* The processor performs delayed stores at any time. */
active proctype Processor() {
    byte thread;
end:
    do
    :: atomic { pending[0] -> sequence[0]++; pending[0] = false }
    :: atomic { pending[1] -> sequence[1]++; pending[1] = false }
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

/* R4: waits until every announced read has ended. The list only grows, so the writer needs no lock. */
inline waitForReaders() {
#ifndef NO_WAIT                         /* breaks R4 */
    records = list;
    reader = 0;
    do
    :: reader == READERS -> break
    :: else ->
        if
        :: records & (1 << reader) ->
            before = sequence[reader];
            if
            :: before % 2 == 1 -> sequence[reader] != before
            :: else -> skip
            fi
        :: else -> skip
        fi;
        reader++
    od
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
    byte reader, before, records, old, current;
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
        run Reader();
        run Reader();
    }
    _nr_pr == 2;
    assert(references[OLD] == 0 && references[NEW] == 0 && references[OTHER] == 1)
}
