package io.acidq.engine.enqueue;

import io.acidq.engine.maintenance.Cleaner;

/** Sees a package above its own. */
class GuiltyEnqueue {
    Cleaner upward;
}
