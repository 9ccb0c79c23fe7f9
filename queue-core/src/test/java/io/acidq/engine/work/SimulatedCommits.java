package io.acidq.engine.work;

import io.acidq.store.CommitStore;
import java.time.Duration;
import java.util.Optional;

/** A server that does not tell of commits. */
final class SimulatedCommits implements CommitStore {

    @Override
    public Optional<Commits> last() {
        return Optional.empty();
    }

    @Override
    public Optional<Commits> awaitAfter(Commits last, Duration atMost) {
        return Optional.empty();
    }
}
