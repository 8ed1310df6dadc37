/*
 * The queue of a container, and the release of the container while threads use it.
 *
 * ReentrantSerialQueue has two ways in. `trySync` enters if no other thread is inside or on the way in. `sync` tries
 * the same and else waits on a dispatch queue, of which the model knows that it runs one thread at a time. A container
 * that is released clears its instances by `trySync`. If a thread is on the queue, that thread clears them when it has
 * left.
 *
 * Each thread here enters once. Its work builds an instance, which the container caches if it isn't released yet. The
 * checker goes through every order of the steps of all threads. It refuses the model if two threads are inside, if a
 * thread waits without end (an invalid end state), or if a released container holds an instance in the end.
 *
 * A variable of the model is an atomic variable of the code, and each step reads or writes one of them. The flags in
 * `#ifdef`s break one rule each. The checker has to refuse every one of them: see `check`.
 */

#define FREE 255

byte entrants = 0;           /* threads inside or on the way in */
byte holder = FREE;          /* the thread inside */
bool dispatching = false;    /* whether a thread is on the dispatch queue */
byte waiting = FREE;         /* the thread whose semaphore the thread inside sees */
bool signaled[4];            /* the semaphores: each thread waits for its own */
bool released = false;      /* whether the container is released */
bool caches = false;         /* whether the container caches an instance */
byte inside = 0;             /* for the checker: the number of threads inside */

/*
 * Q1: the work of one thread at a time. An instance is cached only by a container that isn't released. The flag may be
 * set between the look and the write.
 */
inline work(isClearing) {
    inside++;
    assert(inside == 1);
    if
    :: isClearing -> caches = false
    :: else ->
        if
        :: released -> skip
        :: else -> caches = true
        fi
    fi;
    inside--
}

/* `run`: enters if no thread is inside, does the work, and wakes the thread that waits. */
inline enter(isClearing) {
#ifdef HOLDER_LOOKED_AT_FIRST   /* breaks Q1: looks and writes in two steps */
    isRun = (holder == FREE);
    if
    :: isRun -> holder = _pid
    :: else -> skip
    fi;
#else
    atomic {
        isRun = (holder == FREE);
        if
        :: isRun -> holder = _pid
        :: else -> skip
        fi
    }
#endif
    if
    :: isRun ->
        work(isClearing);
        holder = FREE;
#ifndef NO_SIGNAL               /* breaks Q3: wakes no thread */
        if
        :: waiting != FREE ->
            atomic { woken = waiting; waiting = FREE }
            if
            :: woken != FREE -> signaled[woken] = true
            :: else -> skip
            fi
        :: else -> skip
        fi
#endif
    :: else -> skip
    fi
}

/* `trySync`: enters unless a thread is inside or on the way in; tries again after another thread was quicker. */
inline trySync(isClearing) {
    isRun = false;
    do
    :: atomic { entrants == 0 -> entrants = 1 }
        enter(isClearing);
        entrants--;
        if
        :: isRun -> break
        :: else ->
#ifdef OVERTAKEN_GIVES_UP       /* breaks Q4: tries once */
            break
#else
            skip
#endif
        fi
    :: atomic { entrants != 0 -> break }
    od
}

/* `waitAndRun`: the thread at the head of the dispatch queue waits until the thread inside has left. */
inline waitAndRun(isClearing) {
    entrants++;
#ifndef NO_DISPATCH_QUEUE       /* breaks Q2: several threads wait with one place for a semaphore */
    atomic { !dispatching -> dispatching = true }
#endif
    do
    :: enter(isClearing);
        if
        :: isRun -> break
        :: else -> skip
        fi;
        signaled[_pid] = false;
        atomic {
            if
            :: waiting == FREE -> waiting = _pid
            :: else -> skip
            fi
        }
#ifndef NO_SECOND_LOOK          /* breaks Q3: the thread inside may have left before it could see the semaphore */
        if
        :: holder == FREE ->
            atomic { woken = waiting; waiting = FREE }
            if
            :: woken != FREE -> goto again
            :: else -> skip
            fi
        :: else -> skip
        fi;
#endif
        signaled[_pid];         /* blocks until the semaphore is signaled */
again:  skip
    od;
#ifndef NO_DISPATCH_QUEUE
    dispatching = false;
#endif
    entrants--
}

/* `clearIfReleased` */
inline clearIfReleased() {
    if
    :: released -> trySync(true)
    :: else -> skip
    fi
}

/* A thread that registers or builds. */
proctype User() {
    bool isRun;
    byte woken;
    trySync(false);
    if
    :: !isRun -> waitAndRun(false)
    :: else -> skip
    fi;
#ifndef NOT_CLEARED_ON_LEAVING  /* breaks Q5: leaves without a look at the flag */
    clearIfReleased()
#endif
}

/* A thread that enters only if the queue is free, as `close` does. */
proctype Trier() {
    bool isRun;
    byte woken;
    trySync(false);
#ifndef NOT_CLEARED_ON_LEAVING
    clearIfReleased()
#endif
}

/* The thread that releases the container: first the flag, then the attempt. */
proctype Releaser() {
    bool isRun;
    byte woken;
#ifdef FLAG_AFTER_ATTEMPT       /* breaks Q5 */
    trySync(true);
    released = true
#else
    released = true;
    clearIfReleased()
#endif
}

init {
    atomic { run User(); run User(); run Trier(); run Releaser() }
    _nr_pr == 1;
    assert(!caches);
    assert(entrants == 0 && holder == FREE)
}
