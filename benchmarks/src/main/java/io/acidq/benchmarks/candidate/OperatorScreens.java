package io.acidq.benchmarks.candidate;

import java.util.List;

/** The screens of a candidate for operators, over its tables. What one viewer has read is shown to others only by the same instance. Thread-safe. */
public interface OperatorScreens extends AutoCloseable {

    /** The names of all screens that show messages, in a fixed order. */
    List<String> names();

    /** Reads what a screen shows, as its page does, and returns when all of it is there. */
    void open(String name) throws Exception;

    @Override
    void close();
}
