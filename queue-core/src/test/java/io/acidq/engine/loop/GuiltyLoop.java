package io.acidq.engine.loop;

import io.acidq.engine.node.NodeContext.OpenClaims;

/** Depends on a package that its own may not see. */
class GuiltyLoop {
    OpenClaims upward;
}
