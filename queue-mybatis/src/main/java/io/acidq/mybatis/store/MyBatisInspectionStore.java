package io.acidq.mybatis.store;

import io.acidq.MessageId;
import io.acidq.admin.Archive.ArchivedMessage;
import io.acidq.admin.Attempts.Attempt;
import io.acidq.admin.AuditLog.AuditEntry;
import io.acidq.admin.AuditLog.AuditSlice;
import io.acidq.admin.AuditQuery;
import io.acidq.admin.MessageQuery;
import io.acidq.admin.Messages.MessageContent;
import io.acidq.admin.Messages.MessageCrash;
import io.acidq.admin.Messages.MessageSlice;
import io.acidq.admin.StoredMessage;
import io.acidq.mybatis.session.StoreTransactions;
import io.acidq.mybatis.store.InspectionMapper.AttemptRow;
import io.acidq.mybatis.store.InspectionMapper.AuditRange;
import io.acidq.mybatis.store.InspectionMapper.AuditRow;
import io.acidq.mybatis.store.InspectionMapper.ContentRow;
import io.acidq.mybatis.store.InspectionMapper.LivingNodeRow;
import io.acidq.mybatis.store.InspectionMapper.ReportRow;
import io.acidq.store.InspectionStore;
import io.acidq.store.Lane;
import io.acidq.store.QueueStore.QueueRow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Queries for operators on the backlog, messages, queues, nodes, the archive and the audit log. */
public final class MyBatisInspectionStore implements InspectionStore {

    private final StoreTransactions transactions;

    public MyBatisInspectionStore(StoreTransactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public Counts count(int queue, int limit) {
        return read("count", m -> m.count(queue, limit));
    }

    @Override
    public int countUnclaimed(int queue, int limit) {
        return readInTurn("countUnclaimed", m -> m.countUnclaimed(queue, limit));
    }

    @Override
    public @Nullable Duration oldestUnclaimed(int queue) {
        return Microseconds.duration(this.<@Nullable Long>readInTurn("oldestUnclaimed", m -> m.oldestUnclaimed(queue)));
    }

    @Override
    public @Nullable Duration oldestToMove(int queue) {
        return Microseconds.duration(this.<@Nullable Long>read("oldestToMove", m -> m.oldestToMove(queue)));
    }

    @Override
    public List<QueueSummary> queues(int limit) {
        return read("queues", m -> m.queues(limit));
    }

    @Override
    public Optional<Integer> nextQueueWithMessages(int after) {
        return read("nextQueueWithMessages", m -> Optional.ofNullable(m.nextQueueWithMessages(after)));
    }

    @Override
    public List<LivingNode> livingNodes(int limit) {
        return read(
                "livingNodes",
                m -> m.livingNodes(limit).stream()
                        .map(LivingNodeRow::toLivingNode)
                        .toList());
    }

    @Override
    public MessageSlice listMessages(QueueRow queue, MessageQuery query, @Nullable Integer lane, int scanLimit) {
        return read("listMessages", m -> new MessageListing(m, queue, query, lane, scanLimit).read());
    }

    @Override
    public List<Integer> countScheduled(int queue, List<Instant> bounds, int limit) {
        return read("countScheduled", m -> {
            List<Integer> counts = new ArrayList<>();
            for (int i = 0; i + 1 < bounds.size(); i++) {
                counts.add(m.countScheduled(
                        queue,
                        Microseconds.notBefore(bounds.get(i)),
                        Microseconds.notBefore(bounds.get(i + 1)),
                        limit));
            }
            return counts;
        });
    }

    @Override
    public List<MessageCrash> crashes(UUID uid) {
        return transactions.runAndRelease(
                "crashes",
                t -> t.mapper(NodeMapper.class).crashesOf(List.of(uid)).stream()
                        .map(row -> new MessageCrash(row.countedAt(), row.node(), row.host()))
                        .toList());
    }

    @Override
    public Optional<StoredMessage> findMessage(QueueRow queue, MessageId id) {
        return read(
                "findMessage",
                m -> m.findMessage(queue.id(), id.lane(), id.uid()).stream()
                        .map(row -> row.toStoredMessage(queue.name()))
                        .findFirst());
    }

    @Override
    public Optional<MessageId> keyHolder(QueueRow queue, String key) {
        return read(
                "keyHolder",
                m -> Optional.ofNullable(m.keyHolder(queue.id(), key))
                        .map(h -> new MessageId(queue.name(), h.lane(), h.uid())));
    }

    @Override
    public Optional<MessageContent> content(QueueRow queue, MessageId id) {
        return read(
                "content",
                m -> m.content(queue.id(), id.lane(), id.uid()).stream()
                        .map(ContentRow::toMessageContent)
                        .findFirst());
    }

    @Override
    public Optional<MessageLocation> findLocation(Lane lane, UUID uid) {
        return read("findLocation", m -> m.findLocation(lane, uid).stream().findFirst());
    }

    @Override
    public Optional<MessageLocation> findBlocking(Lane lane, MessageLocation location) {
        return location.isOrdered()
                ? read(
                        "findBlocking",
                        m -> Optional.ofNullable(m.findBlocking(lane, location.id(), location.orderingKey())))
                : Optional.empty();
    }

    @Override
    public int countBefore(Lane lane, long id, int limit) {
        return read("countBefore", m -> m.countBefore(lane, id, limit));
    }

    @Override
    public Optional<NodeSummary> node(int node) {
        return read("node", m -> Optional.ofNullable(m.node(node)));
    }

    @Override
    public List<StoredReport> nodeReports(int limit) {
        return read(
                "nodeReports",
                m -> m.nodeReports(limit).stream()
                        .map(ReportRow::toStoredReport)
                        .toList());
    }

    @Override
    public Optional<StoredReport> nodeReport(int node) {
        return read("nodeReport", m -> Optional.ofNullable(m.nodeReport(node)).map(ReportRow::toStoredReport));
    }

    @Override
    public List<Attempt> attempts(UUID uid, int limit) {
        return read(
                "attempts",
                m -> m.attempts(uid, limit).stream().map(AttemptRow::toAttempt).toList());
    }

    @Override
    public boolean isServed(int queue) {
        String pattern = "%," + queue + ":%"; // as MyBatisNodeStore writes it, with a comma before it
        return read("isServed", m -> m.isServed(pattern) != null);
    }

    @Override
    public Optional<ArchivedMessage> findArchived(QueueRow queue, UUID uid) {
        return read(
                "findArchived",
                m -> Optional.ofNullable(m.findArchived(queue.id(), uid))
                        .map(row -> row.toArchivedMessage(queue.name())));
    }

    @Override
    public List<ArchivedMessage> listArchived(QueueRow queue, Instant from, Instant until, int limit) {
        return read(
                "listArchived",
                m ->
                        m
                                .listArchived(
                                        queue.id(), Microseconds.notBefore(from), Microseconds.notBefore(until), limit)
                                .stream()
                                .map(row -> row.toArchivedMessage(queue.name()))
                                .toList());
    }

    @Override
    public List<AuditEntry> auditOf(UUID uid) {
        return read(
                "auditOf", m -> m.auditOf(uid).stream().map(AuditRow::toEntry).toList());
    }

    @Override
    public AuditSlice listAudit(AuditQuery query, @Nullable Integer queue, int scanLimit) {
        return read("listAudit", m -> {
            AuditRange range = AuditRange.of(query, queue, scanLimit);
            Long end = range.isFiltered() ? m.scanEndOfAudit(range) : null;
            List<AuditEntry> entries = m.audit(end == null ? range : range.until(end)).stream()
                    .map(AuditRow::toEntry)
                    .toList();
            if (entries.size() == query.limit()) {
                return new AuditSlice(
                        entries, OptionalLong.of(entries.get(entries.size() - 1).id()), OptionalInt.empty());
            }
            return end == null
                    ? new AuditSlice(entries, OptionalLong.empty(), OptionalInt.empty())
                    : new AuditSlice(entries, OptionalLong.of(end), OptionalInt.of(scanLimit));
        });
    }

    @Override
    public Optional<AuditEntry> findAudit(long id) {
        return read("findAudit", m -> Optional.ofNullable(m.findAudit(id)).map(AuditRow::toEntry));
    }

    /** For reads of the backlog monitor. */
    private <T extends @Nullable Object> T readInTurn(String verb, Function<InspectionMapper, T> statements) {
        return transactions.runInTurn(verb, t -> statements.apply(t.mapper(InspectionMapper.class)));
    }

    private <T extends @Nullable Object> T read(String verb, Function<InspectionMapper, T> statements) {
        return transactions.runAndRelease(verb, t -> statements.apply(t.mapper(InspectionMapper.class)));
    }
}
