package io.acidq.spring;

import io.acidq.engine.EngineBuilder;

/**
 * Customizes the engines of the application one by one, for example to give each of them its own meters.
 *
 * <p>Each bean of this type is called once per engine, in the order of the beans, after the settings that all engines share have been
 * applied. An {@link io.acidq.engine.Engine} bean that the application defines itself is not customized. An exception fails the start.
 */
@FunctionalInterface
public interface EngineCustomizer {

    /**
     * Customizes an engine before it is built.
     *
     * @param engine  the name of the engine, as in {@link QueueEngines}
     * @param builder the builder of the engine, to be changed in place
     */
    void customize(String engine, EngineBuilder builder);
}
