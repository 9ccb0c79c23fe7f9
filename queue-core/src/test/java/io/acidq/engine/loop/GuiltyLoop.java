package io.acidq.engine.loop;

import io.acidq.engine.maintenance.Cleaner;
import io.acidq.engine.node.OpenClaims;

/** Sees a package above its own. */
class GuiltyLoop {
    OpenClaims upward;
    Cleaner further;
}
