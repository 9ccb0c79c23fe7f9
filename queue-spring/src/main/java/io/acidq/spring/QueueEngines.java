package io.acidq.spring;

import io.acidq.QueueMisuseException;
import io.acidq.engine.Engine;
import io.acidq.store.Store;
import java.util.List;
import java.util.Map;

/**
 * The engines of the application by name: the {@linkplain #MAIN main} engine, and one engine per {@link QueueEngine} bean, under the name of
 * that bean. A bean of this type is registered. Thread-safe.
 */
public interface QueueEngines {

    /** The name of the main engine, which uses the application's {@link Store} bean. */
    String MAIN = "main";

    /** Returns the names of all engines, the main engine first. Builds no engine. */
    List<String> names();

    /** Returns all engines by name, the main engine first. Builds those that are not built yet: call it only when all beans exist. */
    Map<String, Engine> all();

    /**
     * Returns an engine, and builds it if it is not built yet: call it only when all beans exist. The application starts and stops the engine.
     *
     * @throws QueueMisuseException if there is no engine with this name, or if a listener or a setting of the engine is wrong
     */
    Engine engine(String name);

    /** Returns the store of an engine; that of the main engine if there is no further engine with this name. Builds no engine. */
    Store store(String name);

    /**
     * Returns the name of the engine that a {@code transactionManager} attribute refers to.
     *
     * @param transactionManager the bean name or qualifier of the transaction manager; empty for the main engine
     * @throws QueueMisuseException if there is no such bean, or no engine uses it
     */
    String nameOf(String transactionManager);
}
