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
        int id = queueFixture.queue.id();
        assertThat(store.queues().resumeIfPaused(id, "ann", "was not")).isFalse();
        assertThat(store.queues().pauseIfRunning(id, "ann", "partner is down")).isTrue();
        assertThat(store.queues().pauseIfRunning(id, "bob", "too")).isFalse();
        assertThat(store.queues().paused(List.of(id))).containsExactly(id);
        assertThat(store.queues().resumeIfPaused(id, "bob", "partner is back")).isTrue();
        assertThat(store.queues().resumeIfPaused(id, "ann", "too")).isFalse();
        assertThat(store.queues().paused(List.of(id))).isEmpty();
        assertThat(store.inspection().recentAudit(100))
                .filteredOn(e -> e.queue().equals(queueFixture.queue.name()))
                .extracting(AuditEntry::action, AuditEntry::actor, AuditEntry::reason)
                .hasToString("[(\"resume\", \"bob\", \"partner is back\"), (\"pause\", \"ann\", \"partner is down\")]");
        assertThat(store.inspection().recentAudit(1).get(0).message()).isEmpty();
    }

    @Test
    void namesThePausedAmongThoseAskedForOnly() {
        QueueFixture another = new QueueFixture(database());
        store.queues().pauseIfRunning(queueFixture.queue.id(), "ann", "a");
        store.queues().pauseIfRunning(another.queue.id(), "ann", "b");
        QueueFixture third = new QueueFixture(database());
        assertThat(store.queues().paused(List.of(queueFixture.queue.id(), third.queue.id())))
                .containsExactly(queueFixture.queue.id());
    }
}
