package io.acidq.benchmarks.candidate.modulith;

import io.acidq.benchmarks.candidate.HandlerWork;
import io.acidq.benchmarks.candidate.SpringBasedApplication;
import org.jspecify.annotations.Nullable;
import org.springframework.modulith.events.ApplicationModuleListener;

/** Hears of each letter after the commit, asynchronously and in a transaction of its own. */
class Listener {

    private final SpringBasedApplication spring;
    private volatile @Nullable HandlerWork handlerWork;

    Listener(SpringBasedApplication spring) {
        this.spring = spring;
    }

    /** A letter is there. */
    record MessagePosted(String text) {}

    void use(HandlerWork value) {
        handlerWork = value;
    }

    @ApplicationModuleListener
    void on(MessagePosted letter) throws Exception {
        HandlerWork running = handlerWork;
        if (running == null) {
            throw new IllegalStateException("no workers have been started");
        }
        running.run(spring.connection(), letter.text());
    }
}
