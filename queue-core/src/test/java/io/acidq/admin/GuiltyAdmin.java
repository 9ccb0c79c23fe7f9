package io.acidq.admin;

import io.acidq.engine.Engine;

/** Depends on a package that may depend on its own. */
class GuiltyAdmin {
    Engine upward;
}
