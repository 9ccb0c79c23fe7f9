package io.acidq.spring;

import java.util.List;

/** The threads that engines of this process have started, without the history writers of engines that are not started and that their tests have not closed. */
final class AcidqThreads {

    private AcidqThreads() {}

    static List<String> alive() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(Thread::isAlive)
                .map(Thread::getName)
                .filter(name -> name.startsWith("acidq-") && !name.equals("acidq-history-writer"))
                .toList();
    }
}
