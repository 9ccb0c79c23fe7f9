package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.admin.AuditEntry;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pause and resume: compare-and-set with a record. */
@EachStore
class PauseStoreIT extends StoreFixture {

    @Test
    void pausesAndResumesOnceAndRecordsEach() {
        int id = scene.queue.id();
        assertThat(store.queues().resumeIfPaused(id, "ann", "was not")).isFalse();
        assertThat(store.queues().pauseIfRunning(id, "ann", "partner is down")).isTrue();
        assertThat(store.queues().pauseIfRunning(id, "bob", "too")).isFalse();
        assertThat(store.queues().paused(List.of(id))).containsExactly(id);
        assertThat(store.queues().resumeIfPaused(id, "bob", "partner is back")).isTrue();
        assertThat(store.queues().resumeIfPaused(id, "ann", "too")).isFalse();
        assertThat(store.queues().paused(List.of(id))).isEmpty();
        assertThat(store.inspection().recentAudit(100))
                .filteredOn(e -> e.queue().equals(scene.queue.name()))
                .extracting(AuditEntry::action, AuditEntry::actor, AuditEntry::reason)
                .hasToString("[(\"resume\", \"bob\", \"partner is back\"), (\"pause\", \"ann\", \"partner is down\")]");
        assertThat(store.inspection().recentAudit(1).get(0).message()).isEmpty();
    }

    @Test
    void namesThePausedAmongThoseAskedForOnly() {
        Scene another = new Scene(home());
        store.queues().pauseIfRunning(scene.queue.id(), "ann", "a");
        store.queues().pauseIfRunning(another.queue.id(), "ann", "b");
        Scene third = new Scene(home());
        assertThat(store.queues().paused(List.of(scene.queue.id(), third.queue.id())))
                .containsExactly(scene.queue.id());
    }
}
