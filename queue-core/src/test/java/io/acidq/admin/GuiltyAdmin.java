package io.acidq.admin;

import io.acidq.engine.Engine;

/** Sees a package above its own. */
class GuiltyAdmin {
    Engine upward;
}
