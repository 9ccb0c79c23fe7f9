package io.acidq.engine.listener;

import io.acidq.store.UnusedServerStore;
import java.time.Duration;
import java.util.Optional;

/** A server that does not tell of commits. */
final class SimulatedCommits extends UnusedServerStore {

    @Override
    public Optional<Commits> lastCommit() {
        return Optional.empty();
    }

    @Override
    public Optional<Commits> awaitCommitAfter(Commits last, Duration atMost) {
        return Optional.empty();
    }
}
