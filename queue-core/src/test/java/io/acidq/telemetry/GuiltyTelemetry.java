package io.acidq.telemetry;

import io.acidq.config.EngineConfig;

/** Depends on a package that its own may not see. */
class GuiltyTelemetry {
    EngineConfig upward;
}
