package io.acidq.archunit;

import java.net.URL;
import org.jspecify.annotations.Nullable;

/** The classpath of the tests. */
final class Classpath {

    private Classpath() {}

    static @Nullable URL find(String resource) {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        ClassLoader loader = context == null ? Classpath.class.getClassLoader() : context;
        return loader.getResource(resource);
    }
}
