package io.acidq.chaos.role;

import java.io.IOException;

/** Ties this process to the one that started it and holds its standard input: when that is gone, killed too, this one ends at once. */
final class ParentWatch {

    private ParentWatch() {}

    static void start() {
        Thread watching = new Thread(ParentWatch::watch, "leash");
        watching.setDaemon(true);
        watching.start();
    }

    private static void watch() {
        try {
            while (System.in.read() >= 0) {
                // nobody says anything
            }
        } catch (IOException e) { // it can not be held any more
        }
        Runtime.getRuntime().halt(1);
    }
}
