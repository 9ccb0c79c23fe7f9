package io.acidq.spring;

import java.util.List;

/** The threads that engines of this process have started. */
final class AcidqThreads {

    private AcidqThreads() {}

    static List<String> alive() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(Thread::isAlive)
                .map(Thread::getName)
                .filter(name -> name.startsWith("acidq-"))
                .toList();
    }
}
