package io.acidq.spring;

import io.acidq.QueueMisuseException;
import io.acidq.engine.Engine;
import io.acidq.store.Store;
import java.util.List;
import java.util.Map;

/**
 * The engines of the application, a bean: the {@linkplain #MAIN main} one, and one for each {@link QueueEngine}, by its bean name. Thread-safe.
 */
public interface QueueEngines {

    /** The name of the engine whose database is the application's own. */
    String MAIN = "main";

    /** The names of all, the main one first. Builds none. */
    List<String> names();

    /** All by name, the main one first. Builds those that are not: ask when all beans are there. */
    Map<String, Engine> all();

    /**
     * One of them, built if it is not.
     *
     * @throws QueueMisuseException when there is none of that name
     */
    Engine engine(String name);

    /** The store of an engine. Builds no engine. */
    Store store(String name);

    /**
     * The name of the engine that a {@code transactionManager} attribute means.
     *
     * @param transactionManager its bean name or qualifier; empty for that of the main engine
     * @throws QueueMisuseException when there is no such bean, or no engine uses it
     */
    String nameOf(String transactionManager);
}
