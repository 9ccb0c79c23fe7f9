package io.acidq.engine.work;

import io.acidq.store.CommitStore;
import java.time.Duration;
import java.util.OptionalLong;

/** A server that does not tell of commits. */
final class SimulatedCommits implements CommitStore {

    @Override
    public OptionalLong last() {
        return OptionalLong.empty();
    }

    @Override
    public OptionalLong awaitAfter(long last, Duration atMost) {
        return OptionalLong.empty();
    }
}
