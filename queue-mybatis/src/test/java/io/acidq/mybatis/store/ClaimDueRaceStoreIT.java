package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.mybatis.MyBatisStore;
import io.acidq.store.ClaimStore;
import io.acidq.store.ClaimStore.Claimed;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.MessageRow;
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
    private final CountDownLatch end = new CountDownLatch(1);

    @Test
    void skipsALaneThatAnotherClaimerHolds() {
        scene.enqueue(scene.message(0, null, "a"), scene.message(0, null, "b"), scene.message(1, null, "c"));
        CompletableFuture<Claimed> other = claimHalfway(1);

        assertThat(scene.claim(0, 10)).isSameAs(Claimed.BUSY);
        assertThat(Scene.texts(scene.claim(1, 10))).containsExactly("c");
        end.countDown();

        assertThat(Scene.texts(Scene.join(other))).containsExactly("a");
        assertThat(Scene.texts(scene.claim(0, 10))).containsExactly("b");
    }

    @Test
    void givesEachMessageToOneOfManyClaimersAndKeepsTheOrderOfEachKey() {
        int keys = 3;
        int each = 60;
        scene.enqueue(IntStream.range(0, keys * each)
                .mapToObj(i -> scene.message(0, "k" + i % keys, i % keys + "/" + i / keys))
                .toArray(MessageRow[]::new));
        List<String> done = Collections.synchronizedList(new ArrayList<>());
        AtomicInteger left = new AtomicInteger(keys * each);
        List<CompletableFuture<Boolean>> workers = IntStream.range(0, 4)
                .mapToObj(i -> Scene.aside(() -> work(scene.newNode(), done, left)))
                .toList();

        workers.forEach(Scene::join);
        assertThat(done).hasSize(keys * each).doesNotHaveDuplicates();
        Map<String, List<String>> byKey = done.stream().collect(Collectors.groupingBy(t -> t.substring(0, 1)));
        byKey.forEach((key, texts) -> assertThat(texts)
                .isEqualTo(IntStream.range(0, each).mapToObj(i -> key + "/" + i).toList()));
    }

    private boolean work(int node, List<String> done, AtomicInteger left) throws Exception {
        while (left.get() > 0) {
            for (ClaimedMessage message : scene.claimAs(node, 0, 5).messages()) {
                boolean won = home().transactions().inNew(() -> {
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
        try (Connection late = open()) {
            scene.insertBy(late, scene.message(0, "k", "low"));
            scene.enqueue(0, "k", "high");
            ClaimedMessage high = scene.claimOne(0);
            late.commit();

            assertThat(scene.claim(0, 10).messages()).isEmpty();
            scene.ack(high.claim());
            assertThat(Scene.texts(scene.claim(0, 10))).containsExactly("low");
        }
    }

    @Test
    void keepsAKeyClosedWhenALateTransactionFillsTheWindowBeforeItsRunningHead() throws Exception {
        try (Connection late = open()) {
            scene.insertBy(
                    late,
                    IntStream.range(0, 200)
                            .mapToObj(i -> scene.message(0, i == 0 ? "k" : "late" + i, "low" + i))
                            .toArray(MessageRow[]::new));
            scene.enqueue(0, "k", "high");
            ClaimedMessage high = scene.claimOne(0);
            late.commit();

            assertThat(Scene.texts(scene.claim(0, 3))).containsExactly("low1", "low2");
            scene.ack(high.claim());
            assertThat(Scene.texts(scene.claim(0, 1))).containsExactly("low0");
        }
    }

    @Test
    void passesMessagesByThatAnotherTransactionHasLockedWithTheFollowersOfTheirKey() throws Exception {
        scene.enqueue(
                scene.message(0, null, "a"),
                scene.message(0, "k", "locked"),
                scene.message(0, "k", "follower"),
                scene.message(0, null, "b"));
        try (Connection operator = open()) {
            Scene.rows(
                    operator,
                    "SELECT id FROM acidq_message WHERE queue = ? AND lane = 0 AND id = (SELECT MIN(id) + 1 FROM"
                            + " (SELECT id FROM acidq_message WHERE queue = ?) x) FOR UPDATE",
                    scene.queue.id(),
                    scene.queue.id());

            Claimed claimed = scene.claim(0, 10);
            assertThat(Scene.texts(claimed)).containsExactly("a", "b");
            assertThat(claimed.leftover()).isTrue();
            operator.rollback();
        }
        assertThat(Scene.texts(scene.claim(0, 10))).containsExactly("locked", "follower");
    }

    @Test
    void claimsNothingAtAllWhenARowWasTakenMeanwhile() {
        scene.enqueue(0, null, "a");
        scene.enqueue(0, null, "b");
        SqlTrap trap = new SqlTrap(
                home().dataSource(),
                "claim_no + 1",
                () -> scene.execute(
                        "UPDATE acidq_message SET owner = 999999 WHERE queue = ? ORDER BY id DESC LIMIT 1",
                        scene.queue.id()));
        ClaimStore trapped = MyBatisStore.over(trap.dataSource()).claims();

        Claimed claimed = trapped.claimDue(scene.request(0, 10));
        assertThat(claimed.messages()).isEmpty();
        assertThat(claimed.leftover()).isTrue();
        assertThat(scene.number("SELECT COUNT(*) FROM acidq_message WHERE queue = ? AND owner = 0", scene.queue.id()))
                .isEqualTo(1);
    }

    @Test
    void seesAllThatTheClaimerBeforeHasCommitted() {
        scene.enqueue(IntStream.range(0, 40)
                .mapToObj(i -> scene.message(0, null, "m" + i))
                .toArray(MessageRow[]::new));
        List<CompletableFuture<Integer>> claimers = IntStream.range(0, 4)
                .mapToObj(i -> Scene.aside(() -> claimUntilEmpty(scene.newNode())))
                .toList();

        assertThat(claimers.stream().mapToInt(Scene::join).sum()).isEqualTo(40);
    }

    private int claimUntilEmpty(int node) {
        int sum = 0;
        while (scene.number("SELECT COUNT(*) FROM acidq_message WHERE queue = ? AND owner = 0", scene.queue.id()) > 0) {
            sum += scene.claimAs(node, 0, 1).messages().size();
        }
        return sum;
    }

    /** A claimer that has marked its messages and does not commit before the latch opens. */
    private CompletableFuture<Claimed> claimHalfway(int limit) {
        CompletableFuture<Claimed> claimer = Scene.aside(() -> home().own().often("claimDue", t -> {
            Claimed claimed = new LaneClaim(t, scene.request(0, limit), false).claim();
            marked.countDown();
            Scene.await(end);
            return claimed;
        }));
        Scene.await(marked);
        return claimer;
    }

    private Connection open() throws Exception {
        Connection connection = home().dataSource().getConnection();
        connection.setAutoCommit(false);
        return connection;
    }
}
