package io.acidq.engine.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.engine.loop.CommitTracker.Moment;
import io.acidq.store.ServerStore.Commits;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CommitTrackerTest {

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1000); // nanoTime may overflow
    private final CommitTracker commitTracker = new CommitTracker(now::get);
    private long last = 40;
    private long count = 140;

    @Test
    void isNotGoneByBeforeTheServerHasCountedABeat() {
        see();
        Moment early = commitTracker.moment();
        see();
        assertThat(commitTracker.isUnchangedSince(early)).isFalse();
        assertThat(commitTracker.isKnown()).isFalse();
        heartbeat();
        see();
        assertThat(commitTracker.isUnchangedSince(early))
                .as("asked before anything was known")
                .isFalse();
        assertThat(commitTracker.isUnchangedSince(commitTracker.moment())).isTrue();
    }

    @Test
    void lastsWhileOnlyItsOwnHeartCommits() {
        Moment moment = know();
        for (int heartbeats = 0; heartbeats < 5; heartbeats++) {
            heartbeat();
            see();
            assertThat(commitTracker.isUnchangedSince(moment)).isTrue();
        }
        see();
        assertThat(commitTracker.isUnchangedSince(moment)).isTrue();
    }

    @Test
    void endsWithACommitOfSomebodyElseAndBeginsAnew() {
        Moment moment = know();
        commit();
        see();
        assertThat(commitTracker.isUnchangedSince(moment)).isFalse();
        assertThat(commitTracker.isUnchangedSince(commitTracker.moment())).isTrue();
    }

    @Test
    void endsWithACommitThatAnotherServerHasNumbered() {
        Moment moment = know();
        count++;
        see();
        assertThat(commitTracker.isUnchangedSince(moment)).isFalse();
    }

    /** The commit ends the wait while the beat is still under way: it is taken for the beat until that is committed too. */
    @Test
    void tellsACommitBesideABeatAsSoonAsBothAreCounted() {
        Moment moment = know();
        commitTracker.heartbeatBegins();
        commit();
        see();
        assertThat(commitTracker.isUnchangedSince(moment)).isTrue();
        commit();
        commitTracker.heartbeatEnds(true);
        see();
        assertThat(commitTracker.isUnchangedSince(moment)).isFalse();
    }

    @Test
    void takesNoCommitForABeatThatWasCountedBefore() {
        know();
        commitTracker.heartbeatBegins();
        commit();
        commit();
        see(); // somebody's, and the beat's
        commitTracker.heartbeatEnds(true);
        Moment moment = commitTracker.moment();
        commit();
        see();
        assertThat(commitTracker.isUnchangedSince(moment)).isFalse();
    }

    @Test
    void endsWithABeatOfWhichNobodyKnowsWhatItDid() {
        Moment moment = know();
        commitTracker.heartbeatBegins();
        commitTracker.heartbeatEnds(false);
        assertThat(commitTracker.isUnchangedSince(moment)).isFalse();
        see();
        commit();
        see();
        assertThat(commitTracker.isKnown()).isFalse();
        heartbeat();
        see();
        assertThat(commitTracker.isKnown()).isTrue();
    }

    @Test
    void isNotGoneByWhereTheServerDoesNotCountTheBeats() {
        Moment moment = know();
        commitTracker.heartbeatBegins();
        commitTracker.heartbeatEnds(true);
        see();
        assertThat(commitTracker.isUnchangedSince(moment)).isFalse();
        assertThat(commitTracker.isKnown()).isFalse();
    }

    @Test
    void endsWhenCommitsAreNotWaitedForAnyMore() {
        Moment moment = know();
        commitTracker.forget();
        assertThat(commitTracker.isUnchangedSince(moment)).isFalse();
        assertThat(commitTracker.moment()).isEqualTo(Moment.NEVER);
        see();
        assertThat(commitTracker.isUnchangedSince(moment)).isFalse();
    }

    @Test
    void isGoodForTenSecondsOnly() {
        Moment moment = know();
        pass(9_999);
        assertThat(commitTracker.isUnchangedSince(moment)).isTrue();
        pass(1);
        assertThat(commitTracker.isUnchangedSince(moment)).isFalse();
        assertThat(commitTracker.isUnchangedSince(commitTracker.moment())).isTrue();
    }

    private Moment know() {
        see();
        heartbeat();
        see();
        return commitTracker.moment();
    }

    private void heartbeat() {
        commitTracker.heartbeatBegins();
        commit();
        commitTracker.heartbeatEnds(true);
    }

    private void commit() {
        last++;
        count++;
    }

    private void see() {
        commitTracker.record(new Commits(last, count), commitTracker.heartbeatsCommitted());
    }

    private void pass(long millis) {
        now.addAndGet(Duration.ofMillis(millis).toNanos());
    }
}
