package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.QueueMisuseException;
import io.acidq.store.ClaimStore.Claimed;
import io.acidq.store.ClaimStrategy;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.Due;
import io.acidq.store.Locking;
import io.acidq.store.MessageRow;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What each claim strategy beside the lanes must do. */
@EachStore
class StrategyStoreIT extends StrategyFixture {

    @TestFactory
    Stream<DynamicTest> claimsTheOldestAndCountsClaimAndAttemptAsTheLanesDo() {
        return withEach(strategy -> {
            scene.enqueue(messages(5));

            Claimed claimed = claim(strategy, 3);

            assertThat(Scene.texts(claimed)).containsExactly("m0", "m1", "m2");
            assertThat(claimed.messages()).allSatisfy(m -> {
                assertThat(m.attempts()).isEqualTo(1);
                assertThat(m.claim().claimNo()).isEqualTo(1);
                assertThat(m.orderKey()).isNull();
            });
            assertThat(claimed.leftover()).isTrue();
            assertThat(scene.rows(
                            "SELECT owner, claim_no, attempts, batch FROM acidq_message WHERE queue = ? AND owner <> 0",
                            scene.queue.id()))
                    .hasSize(3)
                    .allSatisfy(row -> assertThat(row).hasToString("[" + scene.node + ", 1, 1, " + batch + "]"));
            assertThat(Scene.texts(claim(strategy, 10))).containsExactly("m3", "m4");
            assertThat(claim(strategy, 10).messages()).isEmpty();
        });
    }

    @TestFactory
    Stream<DynamicTest> claimsWhatTheFenceAcceptsAndAnotherOwnerCanNotEnd() {
        return withEach(strategy -> {
            scene.enqueue(0, null, "a");
            ClaimedMessage message = claim(strategy, 1).messages().get(0);

            assertThat(claims.giveBackIfClaimed(List.of(message.claim()), Duration.ZERO))
                    .isEqualTo(1);
            ClaimedMessage again = claim(strategy, 1).messages().get(0);
            assertThat(again.claim().claimNo()).isEqualTo(2);
            assertThat(again.attempts()).isEqualTo(1);
            assertThat(scene.ack(message.claim())).isFalse();
            assertThat(scene.ack(again.claim())).isTrue();
        });
    }

    @TestFactory
    Stream<DynamicTest> leavesMessagesWithAnOrderingKeyAlone() {
        return withEach(strategy -> {
            scene.enqueue(0, "k", "ordered");
            scene.enqueue(0, null, "free");

            assertThat(Scene.texts(claim(strategy, 10))).containsExactly("free");
            Claimed rest = claim(strategy, 10);
            assertThat(rest.messages()).isEmpty();
            assertThat(rest.ordered()).isTrue();
            assertThat(rest.leftover()).isTrue();
            assertThat(Scene.texts(scene.claim(0, 10))).containsExactly("ordered");
        });
    }

    @TestFactory
    Stream<DynamicTest> findsWhatLiesBehindManyMessagesWithOrderingKeys() {
        return withEach(strategy -> {
            MessageRow[] ordered = IntStream.range(0, 300)
                    .mapToObj(i -> scene.message(0, "k" + i % 3, "m" + i))
                    .toArray(MessageRow[]::new);
            scene.enqueue(ordered);
            scene.enqueue(0, null, "free");

            assertThat(Scene.texts(claim(strategy, 10))).containsExactly("free");
        });
    }

    @TestFactory
    Stream<DynamicTest> saysNothingOfAnEmptyLane() {
        return withEach(
                strategy -> assertThat(claim(strategy, 10)).isEqualTo(new Claimed(List.of(), false, null, false)));
    }

    @TestFactory
    Stream<DynamicTest> takesASuspectAloneAndOnlyWhenItMay() {
        return withEach(strategy -> {
            scene.enqueue(messages(3));
            long first = scene.number("SELECT MIN(id) FROM acidq_message WHERE queue = ?", scene.queue.id());
            scene.execute("UPDATE acidq_message SET deaths = 1 WHERE queue = ? AND id = ?", scene.queue.id(), first);

            assertThat(Scene.texts(claim(strategy, 1))).containsExactly("m1");
            Claimed suspect = claims.claimDue(request(strategy, 10, true));
            assertThat(Scene.texts(suspect)).containsExactly("m0");
            assertThat(suspect.messages()).allMatch(ClaimedMessage::isSuspect);
            assertThat(Scene.texts(claim(strategy, 10))).containsExactly("m2");
        });
    }

    @TestFactory
    Stream<DynamicTest> tellsWhenTheFirstWaitingMessageIsDue() {
        return withEach(strategy -> {
            scene.enqueue(0, null, "a");
            ClaimedMessage message = claim(strategy, 1).messages().get(0);
            claims.giveBackIfClaimed(List.of(message.claim()), Scene.HOUR);

            Claimed none = claim(strategy, 10);
            assertThat(none.messages()).isEmpty();
            assertThat(none.leftover()).isTrue();
            assertThat(none.nextDue()).isBetween(Duration.ofMinutes(59), Scene.HOUR);
        });
    }

    @TestFactory
    Stream<DynamicTest> claimsNothingWhereTheRescuerDoesNotLook() {
        return withEach(strategy -> {
            scene.enqueue(messages(200));
            Set<Long> claimed = new HashSet<>();
            for (int size = 1; claimed.size() < 200; size = size % 7 + 1) {
                Claimed some = claim(strategy, size);
                assertThat(some.messages()).isNotEmpty();
                some.messages().forEach(m -> claimed.add(m.claim().id()));
                assertThat(scene.number(
                                "SELECT COUNT(*) FROM acidq_message m JOIN acidq_lane l ON l.queue = m.queue AND l.lane = m.lane"
                                        + " WHERE m.queue = ? AND m.owner <> 0 AND m.id > l.claimed_to",
                                scene.queue.id()))
                        .isZero();
                assertThat(claims.claimedBy(scene.node)).hasSize(claimed.size());
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> leavesLargePayloadsToBeReadBeforeTheirHandler() {
        return withEach(strategy -> {
            scene.enqueue(0, null, "x".repeat(8193));
            ClaimedMessage message = claim(strategy, 1).messages().get(0);

            assertThat(message.payload()).isNull();
            assertThat(claims.content(message.claim()).payload()).hasSize(8193);
        });
    }

    @Test
    void refusesUserVariablesWhereThereAreNone() {
        if (!home().isH2()) {
            return;
        }
        scene.enqueue(0, null, "a");
        assertThatThrownBy(() -> claims.claimDue(request(ClaimStrategy.USER_VARIABLE, 1, false)))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("claim-strategy");
    }

    @Test
    void findsThatTheServerLocksAndSkipsAndLeavesNoTrace() {
        long lanes = scene.number("SELECT COUNT(*) FROM acidq_lane");

        assertThat(store.server().probeLocking()).isEqualTo(Locking.SKIPS);
        assertThat(scene.number("SELECT COUNT(*) FROM acidq_lane")).isEqualTo(lanes);
    }

    @Test
    void findsMessagesWithAnOrderingKeyInBothTables() {
        scene.enqueue(0, null, "a");
        assertThat(claims.holdsOrdered(scene.queue.id())).isFalse();
        scene.enqueue(scene.message(1, "k", "later", new Due(Scene.HOUR, null)));
        assertThat(claims.holdsOrdered(scene.queue.id())).isTrue();
        scene.execute("DELETE FROM acidq_scheduled WHERE queue = ?", scene.queue.id());
        assertThat(claims.holdsOrdered(scene.queue.id())).isFalse();
        scene.enqueue(1, "k", "now");
        assertThat(claims.holdsOrdered(scene.queue.id())).isTrue();
    }
}
