package io.acidq.engine.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.config.EngineConfig;
import io.acidq.engine.duty.QuietServer;
import io.acidq.engine.duty.Signals;
import io.acidq.store.ClaimStore;
import io.acidq.store.CommitStore;
import io.acidq.store.Lane;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What it asks the database: a look, or a wait of so many seconds. */
class LookoutTest {

    private final QuietServer server = new QuietServer();
    private final Signals signals = new Signals();
    private final List<String> asked = new ArrayList<>();
    private final Lookout lookout =
            new Lookout(commits(), claims(), EngineConfig.defaults(), signals, server.stillness);
    private List<Lane> lanes = List.of();
    private Runnable meanwhile = () -> {};
    private boolean tells = true;

    @BeforeEach
    void somebodyIsHungry() {
        signals.of(1).hungry(true);
    }

    @Test
    void looksEachSecondUntilTheServerHasCountedABeat() {
        run(3);
        assertThat(asked).containsExactly("last", "look", "wait 1", "look", "wait 1", "look", "wait 1");
    }

    @Test
    void goesBackToAWaitWhenNobodyHasCommittedAnythingAndLooksOnceInTenSeconds() {
        settle();
        meanwhile = () -> server.pass(Duration.ofSeconds(4));
        run(4);
        assertThat(asked).containsExactly("wait 5", "wait 5", "wait 5", "look", "wait 5");
    }

    @Test
    void looksAgainAfterACommitOfSomebodyElse() {
        settle();
        meanwhile = server::end;
        run(1);
        meanwhile = () -> {};
        run(3);
        assertThat(asked)
                .containsExactly(
                        "wait 5", "look", "wait 5", "wait 5"); // a short pause between the look and the next wait
    }

    @Test
    void looksAtOnceForAQueueThatHasBecomeHungryAndWaitsBrieflyUntilItHasLookedForAllTwice() {
        settle();
        signals.of(2).hungry(true);
        run(3);
        assertThat(asked).containsExactly("look", "wait 1", "wait 1", "wait 1");
    }

    @Test
    void looksEachSecondWhileItFindsSomething() {
        settle();
        lanes = List.of(new Lane(1, 7));
        server.pass(Duration.ofSeconds(11));
        run(2);
        assertThat(asked).containsExactly("look", "wait 1", "look", "wait 1");
    }

    @Test
    void pausesAfterCommitsThatBroughtNothingButNotWhenWhatTheSameLaneHeldWasClaimed() {
        settle();
        lanes = List.of(new Lane(1, 7));
        meanwhile = server::end;
        run(2);
        assertThat(lookout.runOnce()).as("the same lane").isPositive();
        assertThat(lookout.runOnce()).as("after the pause").isZero();

        signals.of(1).claimed();
        assertThat(lookout.runOnce()).as("others in the same lane").isZero();
        assertThat(lookout.runOnce()).as("and still the same").isPositive();
    }

    /** A row that can not be claimed made it look at each commit of a busy queue beside. */
    @Test
    void pausesBesideAQueueThatClaimsAllTheTime() {
        settle();
        lanes = List.of(new Lane(1, 7));
        meanwhile = () -> {
            server.end();
            signals.of(2).claimed();
        };
        run(2);
        assertThat(lookout.runOnce())
                .as("what queue 2 claimed lay in no lane of queue 1")
                .isPositive();
    }

    @Test
    void leavesOthersInTheDarkWhenAWaitFails() {
        settle();
        meanwhile = () -> {
            throw new IllegalStateException("gone");
        };
        assertThatThrownBy(lookout::runOnce).hasMessage("gone");
        assertThat(server.stillness.isKnown()).isFalse();
    }

    @Test
    void leavesOthersInTheDarkWhileAllPollersAreBusy() {
        settle();
        signals.of(1).hungry(false);
        assertThat(lookout.runOnce()).isEqualTo(Duration.ofMillis(250));
        assertThat(server.stillness.isKnown()).isFalse();
        assertThat(asked).isEmpty();
    }

    @Test
    void leavesOthersInTheDarkWhereTheServerTellsNothing() {
        tells = false;
        assertThat(lookout.runOnce()).isEqualTo(Duration.ofMillis(250));
        assertThat(server.stillness.isKnown()).isFalse();
        assertThat(asked).containsExactly("last", "look");
    }

    /** Two looks that found nothing, on a server that counts beats. */
    private void settle() {
        meanwhile = () -> {};
        run(2);
        server.begin();
        run(2);
        asked.clear();
    }

    private void run(int times) {
        for (int i = 0; i < times; i++) {
            lookout.runOnce();
        }
    }

    private CommitStore commits() {
        return new CommitStore() {
            @Override
            public Optional<Commits> last() {
                asked.add("last");
                return tells ? Optional.of(server.commits()) : Optional.empty();
            }

            @Override
            public Optional<Commits> awaitAfter(Commits last, Duration atMost) {
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
                    asked.add("look");
                    return lanes;
                });
    }
}
