/*
 * The queue of a container, and the release of the container while threads use it.
 *
 * A thread enters ReentrantSerialQueue with `trySync` or `enter`. `trySync` enters if no other thread is inside or
 * entering. Otherwise, `enter` waits on a dispatch queue, which is modeled as a lock. When a container is released, it
 * clears its instances with `trySync`. If a thread is inside, that thread clears them after it has left.
 *
 * Each thread of the model enters once. Its work builds an instance, which the container caches unless it is released.
 * The checker searches every order of the steps of all threads. It refuses the model if two threads are inside, if a
 * thread waits forever (an invalid end state), or if a released container has an instance at the end.
 *
 * Each variable of the model is an atomic variable of the code, and each step reads or writes one variable. Each flag
 * in an `#ifdef` breaks one rule. The checker has to refuse the model with that flag: see `steps/models`.
 */

#define FREE 255

byte entrants = 0;           /* the number of threads inside or entering */
byte holder = FREE;          /* the thread inside */
bool dispatching = false;    /* whether a thread is on the dispatch queue */
byte waiting = FREE;         /* the thread that waits for its semaphore, as the thread inside sees it */
bool signaled[4];            /* the semaphores, one for each thread */
bool released = false;       /* whether the container is released */
bool caches = false;         /* whether the container caches an instance */
byte inside = 0;             /* for the checker: the number of threads inside */

/*
 * Q1: one thread works at a time. A released container caches no instance. But the container may be released between
 * the check and the write.
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

/* `hold`: enters if no thread is inside. */
inline hold() {
#ifdef HOLDER_CHECKED_FIRST     /* breaks Q1: checks and writes in two steps */
    isHeld = (holder == FREE);
    if
    :: isHeld -> holder = _pid
    :: else -> skip
    fi
#else
    atomic {
        isHeld = (holder == FREE);
        if
        :: isHeld -> holder = _pid
        :: else -> skip
        fi
    }
#endif
}

/* `exit`: leaves and wakes the waiting thread. */
inline exit() {
    holder = FREE;
#ifndef NO_SIGNAL               /* breaks Q3: doesn't wake the waiting thread */
    if
    :: waiting != FREE ->
        atomic { woken = waiting; waiting = FREE }
        if
        :: woken != FREE -> signaled[woken] = true
        :: else -> skip
        fi
    :: else -> skip
    fi;
#endif
    entrants--
}

/* `trySync`: enters unless another thread is inside or entering. Tries again if another thread has entered first. */
inline trySync(isClearing) {
    isHeld = false;
    do
    :: atomic { entrants == 0 -> entrants = 1 }
        hold();
        if
        :: isHeld ->
            work(isClearing);
            exit();
            break
        :: else ->
            entrants--;
#ifdef NO_SECOND_ATTEMPT        /* breaks Q4: tries only once */
            break
#endif
        fi
    :: atomic { entrants != 0 -> break }
    od
}

/*
 * `waitAndEnter`: the thread at the head of the dispatch queue waits until the thread inside has left. It works outside
 * of the dispatch queue.
 */
inline waitAndEnter(isClearing) {
    entrants++;
#ifndef NO_DISPATCH_QUEUE       /* breaks Q2: several threads wait, and `waiting` only has room for one */
    atomic { !dispatching -> dispatching = true }
#endif
    do
    :: hold();
        if
        :: isHeld -> break
        :: else -> skip
        fi;
        signaled[_pid] = false;
        atomic {
            if
            :: waiting == FREE -> waiting = _pid
            :: else -> skip
            fi
        }
#ifndef NO_SECOND_CHECK         /* breaks Q3: the thread inside may leave before it sees the semaphore */
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
    work(isClearing);
    exit()
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
    bool isHeld;
    byte woken;
    trySync(false);
    if
    :: !isHeld -> waitAndEnter(false)
    :: else -> skip
    fi;
#ifndef NOT_CLEARED_ON_LEAVING  /* breaks Q5: leaves without checking the flag */
    clearIfReleased()
#endif
}

/* A thread that enters only if the queue is free, as `close` does. */
proctype Trier() {
    bool isHeld;
    byte woken;
    trySync(false);
#ifndef NOT_CLEARED_ON_LEAVING
    clearIfReleased()
#endif
}

/* The thread that releases the container: it sets the flag and then tries to enter. */
proctype Releaser() {
    bool isHeld;
    byte woken;
#ifdef FLAG_AFTER_ATTEMPT       /* breaks Q5: sets the flag afterwards */
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
