package io.acidq.config;

import io.acidq.engine.Engine;

/** Depends on a package that its own may not see. */
class GuiltyConfig {
    Engine upward;
}
