package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.QueueMisuseException;
import io.acidq.store.ClaimStore.Claimed;
import io.acidq.store.ClaimStrategy;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.Due;
import io.acidq.store.EnqueueStore.MessageRow;
import io.acidq.store.ServerStore.Locking;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The behaviour of each claim strategy other than lanes. */
@EachStore
class StrategyStoreIT extends StrategyFixture {

    @TestFactory
    Stream<DynamicTest> claimsTheOldestAndCountsClaimAndAttemptAsTheLanesDo() {
        return withEach(strategy -> {
            fixture.enqueue(messages(5));

            Claimed claimed = claim(strategy, 3);

            assertThat(QueueFixture.texts(claimed)).containsExactly("m0", "m1", "m2");
            assertThat(claimed.messages()).allSatisfy(m -> {
                assertThat(m.attempts()).isEqualTo(1);
                assertThat(m.claim().claimNo()).isEqualTo(1);
                assertThat(m.orderingKey()).isNull();
            });
            assertThat(claimed.leftover()).isTrue();
            assertThat(fixture.rows(
                            "SELECT owner, claim_no, attempts, batch FROM acidq_message WHERE queue = ? AND owner <> 0",
                            fixture.queueId))
                    .hasSize(3)
                    .allSatisfy(row -> assertThat(row).hasToString("[" + fixture.node + ", 1, 1, " + batch + "]"));
            assertThat(QueueFixture.texts(claim(strategy, 10))).containsExactly("m3", "m4");
            assertThat(claim(strategy, 10).messages()).isEmpty();
        });
    }

    @TestFactory
    Stream<DynamicTest> claimsWhatOnlyTheOwnerCanEnd() {
        return withEach(strategy -> {
            fixture.enqueue(0, null, "a");
            ClaimedMessage message = claim(strategy, 1).messages().get(0);

            assertThat(claims.requeueIfClaimed(List.of(message.claim()), Duration.ZERO))
                    .isEqualTo(1);
            ClaimedMessage again = claim(strategy, 1).messages().get(0);
            assertThat(again.claim().claimNo()).isEqualTo(2);
            assertThat(again.attempts()).isEqualTo(1);
            assertThat(fixture.ack(message.claim())).isFalse();
            assertThat(fixture.ack(again.claim())).isTrue();
        });
    }

    /** No search would find the claim: it reads a lane up to the claimed_to of its row. */
    @TestFactory
    Stream<DynamicTest> claimsNothingFromALaneWhoseRowIsLost() {
        return withEach(strategy -> {
            fixture.enqueue(0, null, "a");
            fixture.execute("DELETE FROM acidq_lane WHERE queue = ?", fixture.queueId);

            assertThat(claim(strategy, 10)).isEqualTo(Claimed.BUSY);

            queues.openLanes(List.of(fixture.queue));
            assertThat(QueueFixture.texts(claim(strategy, 10))).containsExactly("a");
        });
    }

    @TestFactory
    Stream<DynamicTest> leavesMessagesWithAnOrderingKeyAlone() {
        return withEach(strategy -> {
            fixture.enqueue(0, "k", "ordered");
            fixture.enqueue(0, null, "free");

            assertThat(QueueFixture.texts(claim(strategy, 10))).containsExactly("free");
            Claimed rest = claim(strategy, 10);
            assertThat(rest.messages()).isEmpty();
            assertThat(rest.skippedOrdered()).isTrue();
            assertThat(rest.leftover()).isTrue();
            assertThat(fixture.claimTexts(0, 10)).containsExactly("ordered");
        });
    }

    @TestFactory
    Stream<DynamicTest> findsWhatLiesBehindManyMessagesWithOrderingKeys() {
        return withEach(strategy -> {
            MessageRow[] ordered = IntStream.range(0, 300)
                    .mapToObj(i -> fixture.message(0, "k" + i % 3, "m" + i))
                    .toArray(MessageRow[]::new);
            fixture.enqueue(ordered);
            fixture.enqueue(0, null, "free");

            assertThat(QueueFixture.texts(claim(strategy, 10))).containsExactly("free");
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
            fixture.enqueue(messages(3));
            long first = fixture.number("SELECT MIN(id) FROM acidq_message WHERE queue = ?", fixture.queueId);
            fixture.execute("UPDATE acidq_message SET crashes = 1 WHERE queue = ? AND id = ?", fixture.queueId, first);

            assertThat(QueueFixture.texts(claim(strategy, 1))).containsExactly("m1");
            Claimed suspect = claims.claimDue(request(strategy, 10, true));
            assertThat(QueueFixture.texts(suspect)).containsExactly("m0");
            assertThat(suspect.messages()).allMatch(ClaimedMessage::isSuspect);
            assertThat(QueueFixture.texts(claim(strategy, 10))).containsExactly("m2");
        });
    }

    @TestFactory
    Stream<DynamicTest> tellsWhenTheFirstWaitingMessageIsDue() {
        return withEach(strategy -> {
            fixture.enqueue(0, null, "a");
            ClaimedMessage message = claim(strategy, 1).messages().get(0);
            claims.requeueIfClaimed(List.of(message.claim()), QueueFixture.HOUR);

            Claimed none = claim(strategy, 10);
            assertThat(none.messages()).isEmpty();
            assertThat(none.leftover()).isTrue();
            assertThat(none.nextDue()).isBetween(Duration.ofMinutes(59), QueueFixture.HOUR);
        });
    }

    @TestFactory
    Stream<DynamicTest> claimsNothingBeyondClaimedTo() {
        return withEach(strategy -> {
            fixture.enqueue(messages(200));
            Set<Long> claimed = new HashSet<>();
            for (int size = 1; claimed.size() < 200; size = size % 7 + 1) {
                Claimed some = claim(strategy, size);
                assertThat(some.messages()).isNotEmpty();
                some.messages().forEach(m -> claimed.add(m.claim().id()));
                assertThat(fixture.number(
                                "SELECT COUNT(*) FROM acidq_message m JOIN acidq_lane l ON l.queue = m.queue AND l.lane = m.lane"
                                        + " WHERE m.queue = ? AND m.owner <> 0 AND m.id > l.claimed_to",
                                fixture.queueId))
                        .isZero();
                assertThat(claims.claimedBy(fixture.node)).hasSize(claimed.size());
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> leavesLargePayloadsToBeReadBeforeTheirHandler() {
        return withEach(strategy -> {
            fixture.enqueue(0, null, "x".repeat(8193));
            ClaimedMessage message = claim(strategy, 1).messages().get(0);

            assertThat(message.payload()).isNull();
            assertThat(claims.content(message.claim()).payload()).hasSize(8193);
        });
    }

    @Test
    void refusesUserVariablesWhereThereAreNone() {
        if (!database().isH2()) {
            return;
        }
        fixture.enqueue(0, null, "a");
        assertThatThrownBy(() -> claims.claimDue(request(ClaimStrategy.USER_VARIABLE, 1, false)))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("claim-strategy");
    }

    @Test
    void findsThatTheServerLocksAndSkipsAndLeavesNoTrace() {
        long lanes = fixture.number("SELECT COUNT(*) FROM acidq_lane");

        assertThat(store.server().probeLocking()).isEqualTo(Locking.SKIPS);
        assertThat(fixture.number("SELECT COUNT(*) FROM acidq_lane")).isEqualTo(lanes);
    }

    @Test
    void findsMessagesWithAnOrderingKeyInBothTables() {
        fixture.enqueue(0, null, "a");
        assertThat(claims.hasOrderedMessages(fixture.queueId)).isFalse();
        fixture.enqueue(fixture.message(1, "k", "later", new Due(QueueFixture.HOUR, null)));
        assertThat(claims.hasOrderedMessages(fixture.queueId)).isTrue();
        fixture.execute("DELETE FROM acidq_scheduled WHERE queue = ?", fixture.queueId);
        assertThat(claims.hasOrderedMessages(fixture.queueId)).isFalse();
        fixture.enqueue(1, "k", "now");
        assertThat(claims.hasOrderedMessages(fixture.queueId)).isTrue();
    }
}
