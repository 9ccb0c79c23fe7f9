package io.acidq.engine.node;

import io.acidq.engine.maintenance.Cleaner;

/** Depends on a package that may depend on its own. */
class GuiltyNode {
    Cleaner upward;
}
