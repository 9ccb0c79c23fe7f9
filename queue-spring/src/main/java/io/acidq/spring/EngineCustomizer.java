package io.acidq.spring;

import io.acidq.engine.EngineBuilder;

/**
 * Adds to an engine what belongs to it alone, such as its meters. Beans of this type are called once for each engine, in their order, when it has all that the
 * application's engines have in common. An {@link io.acidq.engine.Engine} bean of the application's own is none of them. What it throws fails the start.
 */
@FunctionalInterface
public interface EngineCustomizer {

    /**
     * Changes an engine before it is built.
     *
     * @param engine its name, as in {@link QueueEngines}
     */
    void customize(String engine, EngineBuilder builder);
}
