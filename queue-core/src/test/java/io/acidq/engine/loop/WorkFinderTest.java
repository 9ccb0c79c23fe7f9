package io.acidq.engine.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.config.EngineConfig;
import io.acidq.store.ClaimStore;
import io.acidq.store.Lane;
import io.acidq.store.PortStub;
import io.acidq.store.ServerStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The queries of the work finder: a search, or a wait with its number of seconds. */
class WorkFinderTest {

    private final FakeCommitServer server = new FakeCommitServer();
    private final WakeUps wakeUps = new WakeUps();
    private final List<String> asked = new ArrayList<>();
    private final WorkFinder finder =
            new WorkFinder(commits(), claims(), EngineConfig.defaults(), wakeUps, server.commitTracker);
    private List<Lane> lanes = List.of();
    private Runnable meanwhile = () -> {};
    private boolean reportsCommits = true;

    @BeforeEach
    void aPollerIsIdle() {
        wakeUps.pollerSignal(1).setIdle(true);
    }

    @Test
    void searchesEachSecondUntilTheServerHasCountedAHeartbeat() {
        run(3);
        assertThat(asked).containsExactly("last", "search", "wait 1", "search", "wait 1", "search", "wait 1");
    }

    @Test
    void searchesOnceInTenSecondsWhileNothingIsCommitted() {
        settle();
        meanwhile = () -> server.pass(Duration.ofSeconds(4));
        run(4);
        assertThat(asked).containsExactly("wait 5", "wait 5", "wait 5", "search", "wait 5");
    }

    @Test
    void searchesAgainAfterAnotherCommit() {
        settle();
        meanwhile = server::end;
        run(1);
        meanwhile = () -> {};
        run(3);
        assertThat(asked)
                .containsExactly(
                        "wait 5", "search", "wait 5", "wait 5"); // a short pause between the search and the next wait
    }

    @Test
    void searchesAtOnceForAQueueThatHasBecomeIdleAndThenWaitsBriefly() {
        settle();
        wakeUps.pollerSignal(2).setIdle(true);
        run(3);
        assertThat(asked).containsExactly("search", "wait 1", "wait 1", "wait 1");
    }

    @Test
    void searchesEachSecondWhileItFindsSomething() {
        settle();
        lanes = List.of(new Lane(1, 7));
        server.pass(Duration.ofSeconds(11));
        run(2);
        assertThat(asked).containsExactly("search", "wait 1", "search", "wait 1");
    }

    @Test
    void pausesAfterCommitsWithoutNewWorkButNotAfterAClaim() {
        settle();
        lanes = List.of(new Lane(1, 7));
        meanwhile = server::end;
        run(2);
        assertThat(finder.runOnce()).as("the same lane").isPositive();
        assertThat(finder.runOnce()).as("after the pause").isZero();

        wakeUps.pollerSignal(1).countClaim();
        assertThat(finder.runOnce()).as("other messages in the same lane").isZero();
        assertThat(finder.runOnce()).as("the same messages").isPositive();
    }

    /** Because of a row that could not be claimed, it searched after each commit of another, busy queue. */
    @Test
    void pausesWhileAnotherQueueClaimsAllTheTime() {
        settle();
        lanes = List.of(new Lane(1, 7));
        meanwhile = () -> {
            server.end();
            wakeUps.pollerSignal(2).countClaim();
        };
        run(2);
        assertThat(finder.runOnce())
                .as("queue 2 claims from its own lanes only")
                .isPositive();
    }

    @Test
    void forgetsCommitsWhenAWaitFails() {
        settle();
        meanwhile = () -> {
            throw new IllegalStateException("gone");
        };
        assertThatThrownBy(finder::runOnce).hasMessage("gone");
        assertThat(server.commitTracker.isKnown()).isFalse();
    }

    @Test
    void forgetsCommitsWhileAllPollersAreBusy() {
        settle();
        wakeUps.pollerSignal(1).setIdle(false);
        assertThat(finder.runOnce()).isEqualTo(Duration.ofMillis(250));
        assertThat(server.commitTracker.isKnown()).isFalse();
        assertThat(asked).isEmpty();
    }

    @Test
    void forgetsCommitsWhereTheServerDoesNotReportThem() {
        reportsCommits = false;
        assertThat(finder.runOnce()).isEqualTo(Duration.ofMillis(250));
        assertThat(server.commitTracker.isKnown()).isFalse();
        assertThat(asked).containsExactly("last", "search");
    }

    /** Two searches that found nothing, on a server that counts heartbeats. */
    private void settle() {
        meanwhile = () -> {};
        run(2);
        server.begin();
        run(2);
        asked.clear();
    }

    private void run(int times) {
        for (int i = 0; i < times; i++) {
            finder.runOnce();
        }
    }

    private ServerStore commits() {
        return PortStub.of(
                ServerStore.class,
                Map.of(
                        "lastCommit",
                        args -> {
                            asked.add("last");
                            return reportsCommits ? Optional.of(server.commits()) : Optional.empty();
                        },
                        "awaitCommitAfter",
                        args -> {
                            asked.add("wait " + ((Duration) args[1]).toSeconds());
                            meanwhile.run();
                            return Optional.of(server.commits());
                        }));
    }

    private ClaimStore claims() {
        return PortStub.of(ClaimStore.class, Map.of("lanesWithWork", args -> {
            asked.add("search");
            return lanes;
        }));
    }
}
