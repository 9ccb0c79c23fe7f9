package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.admin.AuditLog.AuditEntry;
import io.acidq.admin.AuditLog.AuditSlice;
import io.acidq.admin.AuditQuery;
import io.acidq.admin.Operator;
import java.time.Instant;
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
        assertThat(recentAudit(100))
                .filteredOn(e -> e.queue().equals(fixture.queue.name()))
                .extracting(AuditEntry::action, AuditEntry::actor, AuditEntry::reason)
                .hasToString("[(\"resume\", \"bob\", \"partner is back\"), (\"pause\", \"ann\", \"partner is down\")]");
        assertThat(recentAudit(1).get(0).message()).isEmpty();
    }

    @Test
    void listsTheEntriesThatMatchAndLooksAtALimitedNumber() {
        int id = fixture.queueId;
        queues.pauseIfRunning(id, new Operator("ann", "first"));
        Instant second = recentAudit(1).get(0).at().plusNanos(1_000);
        queues.resumeIfPaused(id, new Operator("bob", "second"));
        queues.pauseIfRunning(id, new Operator("bob", "third"));
        AuditQuery all = AuditQuery.all().withQueue(fixture.queue.name());

        assertThat(reasons(all, 100)).containsExactly("third", "second", "first");
        assertThat(reasons(all.withActor("bob"), 100)).containsExactly("third", "second");
        assertThat(reasons(all.withActor("Bob"), 100)).isEmpty();
        assertThat(reasons(all.withAction("pause"), 100)).containsExactly("third", "first");
        assertThat(reasons(all.between(second, Instant.parse("9000-01-01T00:00:00Z")), 100))
                .containsExactly("third", "second");
        assertThat(reasons(all.between(Instant.EPOCH, second), 100)).containsExactly("first");

        AuditSlice page = inspection.listAudit(all.withLimit(2), id, 100);
        assertThat(reasons(all.withBefore(page.before().orElseThrow()), 100)).containsExactly("first");
        AuditSlice look = inspection.listAudit(all.withActor("ann"), id, 2);
        assertThat(look.entries()).isEmpty();
        assertThat(look.scanned()).hasValue(2);
        assertThat(reasons(all.withActor("ann").withBefore(look.before().orElseThrow()), 2))
                .containsExactly("first");
        assertThat(inspection.findAudit(recentAudit(1).get(0).id()))
                .contains(recentAudit(1).get(0));
    }

    private List<String> reasons(AuditQuery query, int scanLimit) {
        return inspection.listAudit(query, fixture.queueId, scanLimit).entries().stream()
                .map(AuditEntry::reason)
                .toList();
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
