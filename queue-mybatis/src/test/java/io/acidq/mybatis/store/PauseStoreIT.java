package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.admin.AuditLog.AuditEntry;
import io.acidq.admin.Operator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pause and resume with their rows in the audit log. */
@EachStore
class PauseStoreIT extends StoreFixture {

    @Test
    void pausesAndResumesOnceAndRecordsEach() {
        int id = fixture.queueId;
        assertThat(queues.resumeIfPaused(id, new Operator("ann", "was not"))).isFalse();
        assertThat(queues.pauseIfRunning(id, new Operator("ann", "partner is down")))
                .isTrue();
        assertThat(queues.pauseIfRunning(id, new Operator("bob", "too"))).isFalse();
        assertThat(queues.paused(List.of(id))).containsExactly(id);
        assertThat(queues.resumeIfPaused(id, new Operator("bob", "partner is back")))
                .isTrue();
        assertThat(queues.resumeIfPaused(id, new Operator("ann", "too"))).isFalse();
        assertThat(queues.paused(List.of(id))).isEmpty();
        assertThat(inspection.recentAudit(100))
                .filteredOn(e -> e.queue().equals(fixture.queue.name()))
                .extracting(AuditEntry::action, AuditEntry::actor, AuditEntry::reason)
                .hasToString("[(\"resume\", \"bob\", \"partner is back\"), (\"pause\", \"ann\", \"partner is down\")]");
        assertThat(inspection.recentAudit(1).get(0).message()).isEmpty();
    }

    @Test
    void namesThePausedAmongThoseAskedForOnly() {
        QueueFixture another = new QueueFixture(database());
        queues.pauseIfRunning(fixture.queueId, new Operator("ann", "a"));
        queues.pauseIfRunning(another.queue.id(), new Operator("ann", "b"));
        QueueFixture third = new QueueFixture(database());
        assertThat(queues.paused(List.of(fixture.queueId, third.queue.id()))).containsExactly(fixture.queueId);
    }
}
