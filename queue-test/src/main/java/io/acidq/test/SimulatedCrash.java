package io.acidq.test;

/** Stands for the end of the process: nothing catches it and goes on, and whoever tries meets it again. */
final class SimulatedCrash extends Error {

    SimulatedCrash(CrashPoint at) {
        super("the process died here, as the test wanted: " + at, null, false, false);
    }
}
