package io.acidq;

import io.acidq.config.EngineConfig;

/** A class of the root package that depends on a subpackage. */
class GuiltyRoot {
    EngineConfig config = EngineConfig.defaults();
}
