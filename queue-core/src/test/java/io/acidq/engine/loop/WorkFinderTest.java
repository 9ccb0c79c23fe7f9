package io.acidq.engine.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.config.EngineConfig;
import io.acidq.store.ClaimStore;
import io.acidq.store.Lane;
import io.acidq.store.ServerStore;
import io.acidq.store.UnusedServerStore;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the work finder asks the database: a search, or a wait of so many seconds. */
class WorkFinderTest {

    private final FakeCommitServer server = new FakeCommitServer();
    private final WakeUps wakeUps = new WakeUps();
    private final List<String> asked = new ArrayList<>();
    private final WorkFinder finder =
            new WorkFinder(commits(), claims(), EngineConfig.defaults(), wakeUps, server.commitTracker);
    private List<Lane> lanes = List.of();
    private Runnable meanwhile = () -> {};
    private boolean tells = true;

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
    void goesBackToAWaitWhenNoOneHasCommittedAnythingAndSearchesOnceInTenSeconds() {
        settle();
        meanwhile = () -> server.pass(Duration.ofSeconds(4));
        run(4);
        assertThat(asked).containsExactly("wait 5", "wait 5", "wait 5", "search", "wait 5");
    }

    @Test
    void searchesAgainAfterACommitOfSomeoneElse() {
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
    void searchesAtOnceForAQueueThatHasBecomeIdleAndWaitsBrieflyUntilItHasSearchedForAllTwice() {
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
    void pausesAfterCommitsThatBroughtNothingButNotWhenWhatTheSameLaneHeldWasClaimed() {
        settle();
        lanes = List.of(new Lane(1, 7));
        meanwhile = server::end;
        run(2);
        assertThat(finder.runOnce()).as("the same lane").isPositive();
        assertThat(finder.runOnce()).as("after the pause").isZero();

        wakeUps.pollerSignal(1).countClaim();
        assertThat(finder.runOnce()).as("others in the same lane").isZero();
        assertThat(finder.runOnce()).as("and still the same").isPositive();
    }

    /** A row that cannot be claimed made it search at each commit of a busy queue beside. */
    @Test
    void pausesBesideAQueueThatClaimsAllTheTime() {
        settle();
        lanes = List.of(new Lane(1, 7));
        meanwhile = () -> {
            server.end();
            wakeUps.pollerSignal(2).countClaim();
        };
        run(2);
        assertThat(finder.runOnce())
                .as("what queue 2 claimed lay in no lane of queue 1")
                .isPositive();
    }

    @Test
    void leavesOthersInTheDarkWhenAWaitFails() {
        settle();
        meanwhile = () -> {
            throw new IllegalStateException("gone");
        };
        assertThatThrownBy(finder::runOnce).hasMessage("gone");
        assertThat(server.commitTracker.isKnown()).isFalse();
    }

    @Test
    void leavesOthersInTheDarkWhileAllPollersAreBusy() {
        settle();
        wakeUps.pollerSignal(1).setIdle(false);
        assertThat(finder.runOnce()).isEqualTo(Duration.ofMillis(250));
        assertThat(server.commitTracker.isKnown()).isFalse();
        assertThat(asked).isEmpty();
    }

    @Test
    void leavesOthersInTheDarkWhereTheServerTellsNothing() {
        tells = false;
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
        return new UnusedServerStore() {
            @Override
            public Optional<Commits> lastCommit() {
                asked.add("last");
                return tells ? Optional.of(server.commits()) : Optional.empty();
            }

            @Override
            public Optional<Commits> awaitCommitAfter(Commits last, Duration atMost) {
                asked.add("wait " + atMost.toSeconds());
                meanwhile.run();
                return Optional.of(server.commits());
            }
        };
    }

    private ClaimStore claims() {
        return (ClaimStore) Proxy.newProxyInstance(
                ClaimStore.class.getClassLoader(), new Class<?>[] {ClaimStore.class}, (proxy, method, args) -> {
                    assertThat(method.getName()).isEqualTo("lanesWithWork");
                    asked.add("search");
                    return lanes;
                });
    }
}
