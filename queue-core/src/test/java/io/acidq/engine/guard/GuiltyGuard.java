package io.acidq.engine.guard;

import io.acidq.engine.maintenance.Cleaner;

/** Depends on a package that may depend on its own. */
class GuiltyGuard {
    Cleaner upward;
}
