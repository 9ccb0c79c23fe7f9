package io.acidq.chaos.fault;

import java.util.Random;

/**
 * One kind of harm.
 *
 * @param name   what it is called on the command line
 * @param action does it
 */
public record Fault(String name, Action action) {

    /** Does harm once, and undoes what would last. */
    @FunctionalInterface
    public interface Action {
        /** Whether it has struck; false when there was nothing to strike. */
        boolean inject(Random random) throws Exception;
    }
}
