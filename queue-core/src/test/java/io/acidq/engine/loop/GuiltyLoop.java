package io.acidq.engine.loop;

import io.acidq.engine.maintenance.Cleaner;
import io.acidq.engine.node.NodeContext.OpenClaims;

/** Depends on packages that may depend on its own. */
class GuiltyLoop {
    OpenClaims upward;
    Cleaner further;
}
