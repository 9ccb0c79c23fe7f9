package io.acidq;

import io.acidq.config.EngineConfig;

/** A class of the root that knows a subpackage. */
class GuiltyRoot {
    EngineConfig config = EngineConfig.defaults();
}
