package io.acidq.store;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A server that is asked nothing; tests override what they need. */
public abstract class UnusedServerStore implements ServerStore {

    @Override
    public void checkTables() {
        throw unused();
    }

    @Override
    public void createTables() {
        throw unused();
    }

    @Override
    public Optional<Commits> lastCommit() {
        throw unused();
    }

    @Override
    public Optional<Commits> awaitCommitAfter(Commits last, Duration atMost) {
        throw unused();
    }

    @Override
    public SessionInfo session() {
        throw unused();
    }

    @Override
    public Map<String, String> settings(Collection<String> names) {
        throw unused();
    }

    @Override
    public List<OpenTransaction> openTransactions(Duration longerThan, int most) {
        throw unused();
    }

    @Override
    public Locking probeLocking() {
        throw unused();
    }

    private static UnsupportedOperationException unused() {
        return new UnsupportedOperationException("this test asks nothing of the server");
    }
}
