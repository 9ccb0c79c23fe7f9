package io.acidq.doctor;

import io.acidq.engine.Engine;

/** Depends on a package that its own may not see. */
class GuiltyDoctor {
    Engine upward;
}
