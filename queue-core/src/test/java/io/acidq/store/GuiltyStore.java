package io.acidq.store;

import io.acidq.config.EngineConfig;

/** A class of the port that knows the engine. */
class GuiltyStore {
    EngineConfig config = EngineConfig.defaults();
}
