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
            queueFixture.enqueue(messages(5));

            Claimed claimed = claim(strategy, 3);

            assertThat(QueueFixture.texts(claimed)).containsExactly("m0", "m1", "m2");
            assertThat(claimed.messages()).allSatisfy(m -> {
                assertThat(m.attempts()).isEqualTo(1);
                assertThat(m.claim().claimNo()).isEqualTo(1);
                assertThat(m.orderingKey()).isNull();
            });
            assertThat(claimed.leftover()).isTrue();
            assertThat(queueFixture.rows(
                            "SELECT owner, claim_no, attempts, batch FROM acidq_message WHERE queue = ? AND owner <> 0",
                            queueFixture.queue.id()))
                    .hasSize(3)
                    .allSatisfy(row -> assertThat(row).hasToString("[" + queueFixture.node + ", 1, 1, " + batch + "]"));
            assertThat(QueueFixture.texts(claim(strategy, 10))).containsExactly("m3", "m4");
            assertThat(claim(strategy, 10).messages()).isEmpty();
        });
    }

    @TestFactory
    Stream<DynamicTest> claimsWhatTheFenceAcceptsAndAnotherOwnerCanNotEnd() {
        return withEach(strategy -> {
            queueFixture.enqueue(0, null, "a");
            ClaimedMessage message = claim(strategy, 1).messages().get(0);

            assertThat(claims.requeueIfClaimed(List.of(message.claim()), Duration.ZERO))
                    .isEqualTo(1);
            ClaimedMessage again = claim(strategy, 1).messages().get(0);
            assertThat(again.claim().claimNo()).isEqualTo(2);
            assertThat(again.attempts()).isEqualTo(1);
            assertThat(queueFixture.ack(message.claim())).isFalse();
            assertThat(queueFixture.ack(again.claim())).isTrue();
        });
    }

    @TestFactory
    Stream<DynamicTest> leavesMessagesWithAnOrderingKeyAlone() {
        return withEach(strategy -> {
            queueFixture.enqueue(0, "k", "ordered");
            queueFixture.enqueue(0, null, "free");

            assertThat(QueueFixture.texts(claim(strategy, 10))).containsExactly("free");
            Claimed rest = claim(strategy, 10);
            assertThat(rest.messages()).isEmpty();
            assertThat(rest.skippedOrdered()).isTrue();
            assertThat(rest.leftover()).isTrue();
            assertThat(QueueFixture.texts(queueFixture.claim(0, 10))).containsExactly("ordered");
        });
    }

    @TestFactory
    Stream<DynamicTest> findsWhatLiesBehindManyMessagesWithOrderingKeys() {
        return withEach(strategy -> {
            MessageRow[] ordered = IntStream.range(0, 300)
                    .mapToObj(i -> queueFixture.message(0, "k" + i % 3, "m" + i))
                    .toArray(MessageRow[]::new);
            queueFixture.enqueue(ordered);
            queueFixture.enqueue(0, null, "free");

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
            queueFixture.enqueue(messages(3));
            long first =
                    queueFixture.number("SELECT MIN(id) FROM acidq_message WHERE queue = ?", queueFixture.queue.id());
            queueFixture.execute(
                    "UPDATE acidq_message SET crashes = 1 WHERE queue = ? AND id = ?", queueFixture.queue.id(), first);

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
            queueFixture.enqueue(0, null, "a");
            ClaimedMessage message = claim(strategy, 1).messages().get(0);
            claims.requeueIfClaimed(List.of(message.claim()), QueueFixture.HOUR);

            Claimed none = claim(strategy, 10);
            assertThat(none.messages()).isEmpty();
            assertThat(none.leftover()).isTrue();
            assertThat(none.nextDue()).isBetween(Duration.ofMinutes(59), QueueFixture.HOUR);
        });
    }

    @TestFactory
    Stream<DynamicTest> claimsNothingWhereTheRescuerDoesNotLook() {
        return withEach(strategy -> {
            queueFixture.enqueue(messages(200));
            Set<Long> claimed = new HashSet<>();
            for (int size = 1; claimed.size() < 200; size = size % 7 + 1) {
                Claimed some = claim(strategy, size);
                assertThat(some.messages()).isNotEmpty();
                some.messages().forEach(m -> claimed.add(m.claim().id()));
                assertThat(queueFixture.number(
                                "SELECT COUNT(*) FROM acidq_message m JOIN acidq_lane l ON l.queue = m.queue AND l.lane = m.lane"
                                        + " WHERE m.queue = ? AND m.owner <> 0 AND m.id > l.claimed_to",
                                queueFixture.queue.id()))
                        .isZero();
                assertThat(claims.claimedBy(queueFixture.node)).hasSize(claimed.size());
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> leavesLargePayloadsToBeReadBeforeTheirHandler() {
        return withEach(strategy -> {
            queueFixture.enqueue(0, null, "x".repeat(8193));
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
        queueFixture.enqueue(0, null, "a");
        assertThatThrownBy(() -> claims.claimDue(request(ClaimStrategy.USER_VARIABLE, 1, false)))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("claim-strategy");
    }

    @Test
    void findsThatTheServerLocksAndSkipsAndLeavesNoTrace() {
        long lanes = queueFixture.number("SELECT COUNT(*) FROM acidq_lane");

        assertThat(store.server().probeLocking()).isEqualTo(Locking.SKIPS);
        assertThat(queueFixture.number("SELECT COUNT(*) FROM acidq_lane")).isEqualTo(lanes);
    }

    @Test
    void findsMessagesWithAnOrderingKeyInBothTables() {
        queueFixture.enqueue(0, null, "a");
        assertThat(claims.hasOrderedMessages(queueFixture.queue.id())).isFalse();
        queueFixture.enqueue(queueFixture.message(1, "k", "later", new Due(QueueFixture.HOUR, null)));
        assertThat(claims.hasOrderedMessages(queueFixture.queue.id())).isTrue();
        queueFixture.execute("DELETE FROM acidq_scheduled WHERE queue = ?", queueFixture.queue.id());
        assertThat(claims.hasOrderedMessages(queueFixture.queue.id())).isFalse();
        queueFixture.enqueue(1, "k", "now");
        assertThat(claims.hasOrderedMessages(queueFixture.queue.id())).isTrue();
    }
}
