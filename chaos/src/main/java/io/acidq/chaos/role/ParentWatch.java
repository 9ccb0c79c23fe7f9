package io.acidq.chaos.role;

import java.io.IOException;

/** Ends this process when its parent, which holds its standard input, has ended or was killed. */
final class ParentWatch {

    private ParentWatch() {}

    static void start() {
        Thread watching = new Thread(ParentWatch::watch, "parent-watch");
        watching.setDaemon(true);
        watching.start();
    }

    private static void watch() {
        try {
            while (System.in.read() >= 0) {
                // the parent writes nothing
            }
        } catch (IOException e) { // the parent has ended
        }
        Runtime.getRuntime().halt(1);
    }
}
