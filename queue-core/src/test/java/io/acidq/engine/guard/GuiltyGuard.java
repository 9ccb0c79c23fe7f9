package io.acidq.engine.guard;

import io.acidq.engine.maintenance.Cleaner;

/** Sees a package above its own. */
class GuiltyGuard {
    Cleaner upward;
}
