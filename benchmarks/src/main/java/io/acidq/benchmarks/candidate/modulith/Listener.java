package io.acidq.benchmarks.candidate.modulith;

import io.acidq.benchmarks.candidate.SpringBasedApplication;
import io.acidq.benchmarks.candidate.Work;
import org.jspecify.annotations.Nullable;
import org.springframework.modulith.events.ApplicationModuleListener;

/** Hears of each letter after the commit, asynchronously and in a transaction of its own. */
class Listener {

    private final SpringBasedApplication spring;
    private volatile @Nullable Work work;

    Listener(SpringBasedApplication spring) {
        this.spring = spring;
    }

    /** A letter is there. */
    record LetterPosted(String text) {}

    void use(Work value) {
        work = value;
    }

    @ApplicationModuleListener
    void on(LetterPosted letter) throws Exception {
        Work running = work;
        if (running == null) {
            throw new IllegalStateException("no workers have been started");
        }
        running.run(spring.connection(), letter.text());
    }
}
