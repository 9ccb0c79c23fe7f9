package io.acidq.engine.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.engine.loop.CommitTracker.Moment;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class CommitTrackerTest {

    private final FakeCommitServer server = new FakeCommitServer();
    private final CommitTracker commitTracker = server.commitTracker;

    @Test
    void isNotUsedBeforeTheServerHasCountedAHeartbeat() {
        server.see();
        Moment early = commitTracker.moment();
        server.see();
        assertThat(commitTracker.isUnchangedSince(early)).isFalse();
        assertThat(commitTracker.isKnown()).isFalse();
        server.heartbeat();
        server.see();
        assertThat(commitTracker.isUnchangedSince(early))
                .as("read before commits were known")
                .isFalse();
        assertThat(commitTracker.isUnchangedSince(commitTracker.moment())).isTrue();
    }

    @Test
    void seesNoChangeWhileOnlyHeartbeatsCommit() {
        Moment moment = know();
        for (int heartbeats = 0; heartbeats < 5; heartbeats++) {
            server.heartbeat();
            server.see();
            assertThat(commitTracker.isUnchangedSince(moment)).isTrue();
        }
        server.see();
        assertThat(commitTracker.isUnchangedSince(moment)).isTrue();
    }

    @Test
    void seesAnotherCommitAndStartsAgain() {
        Moment moment = know();
        server.commit();
        server.see();
        assertThat(commitTracker.isUnchangedSince(moment)).isFalse();
        assertThat(commitTracker.isUnchangedSince(commitTracker.moment())).isTrue();
    }

    @Test
    void seesACommitThatAnotherServerHasNumbered() {
        Moment moment = know();
        server.commitNumberedByAnotherServer();
        server.see();
        assertThat(commitTracker.isUnchangedSince(moment)).isFalse();
    }

    /** The commit ends the wait before the heartbeat is committed. It is taken for the heartbeat until the heartbeat is committed too. */
    @Test
    void seesACommitDuringAHeartbeatWhenBothAreCounted() {
        Moment moment = know();
        commitTracker.heartbeatBegins();
        server.commit();
        server.see();
        assertThat(commitTracker.isUnchangedSince(moment)).isTrue();
        server.commit();
        commitTracker.heartbeatEnds(true);
        server.see();
        assertThat(commitTracker.isUnchangedSince(moment)).isFalse();
    }

    @Test
    void seesACommitAfterAHeartbeatThatWasCountedBeforeItEnded() {
        know();
        commitTracker.heartbeatBegins();
        server.commit();
        server.commit();
        server.see(); // another commit, and the heartbeat's
        commitTracker.heartbeatEnds(true);
        Moment moment = commitTracker.moment();
        server.commit();
        server.see();
        assertThat(commitTracker.isUnchangedSince(moment)).isFalse();
    }

    @Test
    void forgetsEverythingAfterAHeartbeatWithAnUnknownOutcome() {
        Moment moment = know();
        commitTracker.heartbeatBegins();
        commitTracker.heartbeatEnds(false);
        assertThat(commitTracker.isUnchangedSince(moment)).isFalse();
        server.see();
        server.commit();
        server.see();
        assertThat(commitTracker.isKnown()).isFalse();
        server.heartbeat();
        server.see();
        assertThat(commitTracker.isKnown()).isTrue();
    }

    @Test
    void isNotUsedOnAServerThatDoesNotCountHeartbeats() {
        Moment moment = know();
        commitTracker.heartbeatBegins();
        commitTracker.heartbeatEnds(true);
        server.see();
        assertThat(commitTracker.isUnchangedSince(moment)).isFalse();
        assertThat(commitTracker.isKnown()).isFalse();
    }

    @Test
    void forgetsEverythingWhenTheWaitForCommitsEnds() {
        Moment moment = know();
        commitTracker.forget();
        assertThat(commitTracker.isUnchangedSince(moment)).isFalse();
        assertThat(commitTracker.moment()).isEqualTo(Moment.NEVER);
        server.see();
        assertThat(commitTracker.isUnchangedSince(moment)).isFalse();
    }

    @Test
    void isValidForTenSeconds() {
        Moment moment = know();
        server.pass(Duration.ofMillis(9_999));
        assertThat(commitTracker.isUnchangedSince(moment)).isTrue();
        server.pass(Duration.ofMillis(1));
        assertThat(commitTracker.isUnchangedSince(moment)).isFalse();
        assertThat(commitTracker.isUnchangedSince(commitTracker.moment())).isTrue();
    }

    private Moment know() {
        server.begin();
        return commitTracker.moment();
    }
}
