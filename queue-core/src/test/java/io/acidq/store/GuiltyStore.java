package io.acidq.store;

import io.acidq.config.EngineConfig;

/** A class of the port that depends on a package above it. */
class GuiltyStore {
    EngineConfig config = EngineConfig.defaults();
}
