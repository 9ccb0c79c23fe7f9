package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.mybatis.MyBatisStore;
import io.acidq.store.ClaimStore;
import io.acidq.store.ClaimStore.Claimed;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.EnqueueStore.MessageRow;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Claims while other transactions are open. */
@EachServer
class ClaimDueRaceStoreIT extends StoreFixture {

    private final CountDownLatch marked = new CountDownLatch(1);

    @Test
    void skipsALaneThatAnotherClaimerHolds() {
        fixture.enqueue(fixture.message(0, null, "a"), fixture.message(0, null, "b"), fixture.message(1, null, "c"));
        CompletableFuture<Claimed> other = claimHalfway(1);

        assertThat(fixture.claim(0, 10)).isSameAs(Claimed.BUSY);
        assertThat(fixture.claimTexts(1, 10)).containsExactly("c");
        end.countDown();

        assertThat(QueueFixture.texts(QueueFixture.join(other))).containsExactly("a");
        assertThat(fixture.claimTexts(0, 10)).containsExactly("b");
    }

    @Test
    void givesEachMessageToOneOfManyClaimersAndKeepsTheOrderOfEachKey() {
        int keys = 3;
        int each = 60;
        fixture.enqueue(keys * each, i -> fixture.message(0, "k" + i % keys, i % keys + "/" + i / keys));
        List<String> done = Collections.synchronizedList(new ArrayList<>());
        AtomicInteger left = new AtomicInteger(keys * each);
        List<CompletableFuture<Boolean>> workers = IntStream.range(0, 4)
                .mapToObj(i -> QueueFixture.runAsync(() -> work(fixture.newNode(), done, left)))
                .toList();

        workers.forEach(QueueFixture::join);
        assertThat(done).hasSize(keys * each).doesNotHaveDuplicates();
        Map<String, List<String>> byKey = done.stream().collect(Collectors.groupingBy(t -> t.substring(0, 1)));
        byKey.forEach((key, texts) -> assertThat(texts)
                .isEqualTo(IntStream.range(0, each).mapToObj(i -> key + "/" + i).toList()));
    }

    private boolean work(int node, List<String> done, AtomicInteger left) throws Exception {
        while (left.get() > 0) {
            for (ClaimedMessage message : fixture.claimAs(node, 0, 5).messages()) {
                boolean won = transactions.inNew(() -> {
                    done.add(new String(message.payload(), StandardCharsets.UTF_8));
                    return claims.ackIfClaimed(message.claim());
                });
                assertThat(won).isTrue();
                left.decrementAndGet();
            }
        }
        return true;
    }

    @Test
    void keepsAKeyClosedWhenLowerIdsCommitAfterItsHeadWasClaimed() throws Exception {
        try (Connection late = fixture.begin()) {
            fixture.insertBy(late, fixture.message(0, "k", "low"));
            fixture.enqueue(0, "k", "high");
            ClaimedMessage high = fixture.claimOne(0);
            late.commit();

            assertThat(fixture.claim(0, 10).messages()).isEmpty();
            fixture.ack(high.claim());
            assertThat(fixture.claimTexts(0, 10)).containsExactly("low");
        }
    }

    @Test
    void keepsAKeyClosedWhenALateTransactionFillsTheWindowBeforeItsRunningHead() throws Exception {
        try (Connection late = fixture.begin()) {
            fixture.insertBy(
                    late,
                    IntStream.range(0, 200)
                            .mapToObj(i -> fixture.message(0, i == 0 ? "k" : "late" + i, "low" + i))
                            .toArray(MessageRow[]::new));
            fixture.enqueue(0, "k", "high");
            ClaimedMessage high = fixture.claimOne(0);
            late.commit();

            assertThat(fixture.claimTexts(0, 3)).containsExactly("low1", "low2");
            fixture.ack(high.claim());
            assertThat(fixture.claimTexts(0, 1)).containsExactly("low0");
        }
    }

    @Test
    void skipsLockedMessagesWithTheFollowersOfTheirKey() throws Exception {
        fixture.enqueue(
                fixture.message(0, null, "a"),
                fixture.message(0, "k", "locked"),
                fixture.message(0, "k", "follower"),
                fixture.message(0, null, "b"));
        try (Connection operator = fixture.begin()) {
            QueueFixture.rows(
                    operator,
                    "SELECT id FROM acidq_message WHERE queue = ? AND lane = 0 AND id = (SELECT MIN(id) + 1 FROM"
                            + " (SELECT id FROM acidq_message WHERE queue = ?) x) FOR UPDATE",
                    fixture.queueId,
                    fixture.queueId);

            Claimed claimed = fixture.claim(0, 10);
            assertThat(QueueFixture.texts(claimed)).containsExactly("a", "b");
            assertThat(claimed.leftover()).isTrue();
            operator.rollback();
        }
        assertThat(fixture.claimTexts(0, 10)).containsExactly("locked", "follower");
    }

    @Test
    void claimsNothingAtAllWhenARowWasTakenMeanwhile() {
        fixture.enqueue(0, null, "a");
        fixture.enqueue(0, null, "b");
        StatementHook trap = new StatementHook(
                database().dataSource(),
                "claim_no + 1",
                () -> fixture.execute(
                        "UPDATE acidq_message SET owner = 999999 WHERE queue = ? ORDER BY id DESC LIMIT 1",
                        fixture.queueId));
        ClaimStore trapped = MyBatisStore.over(trap.dataSource()).claims();

        Claimed claimed = trapped.claimDue(fixture.request(0, 10));
        assertThat(claimed.messages()).isEmpty();
        assertThat(claimed.leftover()).isTrue();
        assertThat(fixture.number("SELECT COUNT(*) FROM acidq_message WHERE queue = ? AND owner = 0", fixture.queueId))
                .isEqualTo(1);
    }

    @Test
    void seesAllThatTheClaimerBeforeHasCommitted() {
        fixture.enqueue(40, i -> fixture.message(0, null, "m" + i));
        List<CompletableFuture<Integer>> claimers = IntStream.range(0, 4)
                .mapToObj(i -> QueueFixture.runAsync(() -> claimUntilEmpty(fixture.newNode())))
                .toList();

        assertThat(claimers.stream().mapToInt(QueueFixture::join).sum()).isEqualTo(40);
    }

    private int claimUntilEmpty(int node) {
        int sum = 0;
        while (fixture.number("SELECT COUNT(*) FROM acidq_message WHERE queue = ? AND owner = 0", fixture.queueId)
                > 0) {
            sum += fixture.claimAs(node, 0, 1).messages().size();
        }
        return sum;
    }

    /** A claim that has marked its messages and does not commit before the latch opens. */
    private CompletableFuture<Claimed> claimHalfway(int limit) {
        CompletableFuture<Claimed> claimer =
                QueueFixture.runAsync(() -> database().own().runAndKeep("claimDue", t -> {
                    Claimed claimed = new LaneClaim(t, fixture.request(0, limit), false).claim();
                    marked.countDown();
                    QueueFixture.await(end);
                    return claimed;
                }));
        QueueFixture.await(marked);
        return claimer;
    }
}
