package io.acidq.engine.enqueue;

import io.acidq.engine.maintenance.Cleaner;

/** Depends on a package that may depend on its own. */
class GuiltyEnqueue {
    Cleaner upward;
}
