package io.acidq.engine.admin;

import io.acidq.engine.Engine;

/** Depends on a package that its own may not see. */
class GuiltyEngineAdmin {
    Engine upward;
}
