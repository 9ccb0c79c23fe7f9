package io.acidq.engine.node;

import io.acidq.engine.maintenance.Cleaner;

/** Sees a package above its own. */
class GuiltyNode {
    Cleaner upward;
}
