package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.mybatis.MyBatisStore;
import io.acidq.store.Due;
import io.acidq.store.MaintenanceStore.Moved;
import io.acidq.store.MessageRow;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Movers beside each other, and beside somebody who changes a scheduled message. */
@EachServer
class MoveDueRaceStoreIT extends StoreFixture {

    @BeforeEach
    void removeWhatOtherTestsLeft() {
        scene.execute("DELETE FROM acidq_scheduled");
    }

    @Test
    void movesOneQueueByOneMoverAtATimeAndOtherQueuesBesideIt() {
        CountDownLatch moving = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        scene.enqueue(due(scene, "a", 0));
        SqlTrap trap = new SqlTrap(home().dataSource(), "INSERT INTO acidq_message", () -> {
            moving.countDown();
            Scene.await(end);
        });
        CompletableFuture<Moved> first = Scene.aside(
                () -> MyBatisStore.over(trap.dataSource()).maintenance().moveDue());
        Scene.await(moving);
        scene.enqueue(scene.message(0, "another key", "b", new Due(null, Instant.parse("2024-05-05T06:00:00Z"))));
        Scene other = new Scene(home());
        other.enqueue(due(other, "other queue", 0));

        Moved second = store.maintenance().moveDue();
        assertThat(second.lanes()).extracting(l -> l.queue()).containsExactly(other.queue.id());
        Moved third = store.maintenance().moveDue();
        assertThat(third.lanes()).isEmpty();
        assertThat(third.nextDue()).isPositive(); // it does not spin while another mover is at it
        end.countDown();

        Scene.join(first);
        store.maintenance().moveDue();
        assertThat(Scene.texts(scene.claim(0, 10))).containsExactly("a", "b");
    }

    @Test
    void keepsTheOrderWithManyMoversAtOnce() {
        scene.enqueue(
                IntStream.range(0, 1100).mapToObj(i -> due(scene, "m" + i, i)).toArray(MessageRow[]::new));

        List<CompletableFuture<Boolean>> movers = IntStream.range(0, 4)
                .mapToObj(i -> Scene.aside(() -> {
                    while (scene.count("acidq_scheduled") > 0) {
                        store.maintenance().moveDue();
                    }
                    return true;
                }))
                .toList();
        movers.forEach(Scene::join);

        assertThat(Scene.texts(scene.claim(0, 2000)))
                .isEqualTo(IntStream.range(0, 1100).mapToObj(i -> "m" + i).toList());
    }

    @Test
    void passesARowByThatSomebodyChangesWithTheLaterOnesOfItsKey() throws Exception {
        scene.enqueue(due(scene, "locked", 0), due(scene, "after it", 1));
        scene.enqueue(scene.message(0, "l", "other key", new Due(null, Instant.parse("2024-05-05T06:00:00Z"))));
        try (Connection somebody = home().dataSource().getConnection()) {
            somebody.setAutoCommit(false);
            Scene.rows(
                    somebody,
                    "SELECT id FROM acidq_scheduled WHERE preexec_time = '2024-05-05 05:05:05.000000' FOR UPDATE");

            assertThat(store.maintenance().moveDue().lanes()).hasSize(1);
            assertThat(Scene.texts(scene.claim(0, 10))).containsExactly("other key");
            somebody.rollback();
        }
        store.maintenance().moveDue();
        assertThat(Scene.texts(scene.claim(0, 10))).containsExactly("locked", "after it");
    }

    private static MessageRow due(Scene scene, String text, int seconds) {
        return scene.message(
                0,
                "k",
                text,
                new Due(null, Instant.parse("2024-05-05T05:05:05Z").plus(Duration.ofSeconds(seconds))));
    }
}
