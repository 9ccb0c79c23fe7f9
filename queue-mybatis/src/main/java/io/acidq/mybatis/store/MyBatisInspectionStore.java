package io.acidq.mybatis.store;

import io.acidq.MessageId;
import io.acidq.admin.Archive.ArchivedMessage;
import io.acidq.admin.AuditLog.AuditEntry;
import io.acidq.admin.Messages.MessageContent;
import io.acidq.admin.StoredMessage;
import io.acidq.admin.StoredMessage.MessageState;
import io.acidq.mybatis.session.StoreTransactions;
import io.acidq.mybatis.store.InspectionMapper.AuditRow;
import io.acidq.mybatis.store.InspectionMapper.BrowseQuery;
import io.acidq.mybatis.store.InspectionMapper.ContentRow;
import io.acidq.mybatis.store.InspectionMapper.LivingNodeRow;
import io.acidq.mybatis.store.InspectionMapper.StoredMessageRow;
import io.acidq.mybatis.store.NodeMapper.ClaimedLane;
import io.acidq.store.InspectionStore;
import io.acidq.store.Lane;
import io.acidq.store.QueueStore.QueueRow;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Queries for operators on the backlog, messages, queues, nodes, the archive and the audit log. */
public final class MyBatisInspectionStore implements InspectionStore {

    private final StoreTransactions transactions;

    public MyBatisInspectionStore(StoreTransactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public Counts count(int queue, int most) {
        return read("count", m -> m.count(queue, most));
    }

    @Override
    public int countUnclaimed(int queue, int most) {
        return readInTurn("countUnclaimed", m -> m.countUnclaimed(queue, most));
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
    public List<QueueSummary> queues(int most) {
        return read("queues", m -> m.queues(most));
    }

    @Override
    public Optional<Integer> nextQueueWithMessages(int after) {
        return read("nextQueueWithMessages", m -> Optional.ofNullable(m.nextQueueWithMessages(after)));
    }

    @Override
    public List<LivingNode> livingNodes(int most) {
        return read(
                "livingNodes",
                m -> m.livingNodes(most).stream()
                        .map(LivingNodeRow::toLivingNode)
                        .toList());
    }

    @Override
    public List<StoredMessage> listMessages(QueueRow queue, @Nullable MessageState state, int limit, int most) {
        BrowseQuery query = new BrowseQuery(queue.id(), state, limit, most);
        List<StoredMessageRow> found =
                read("listMessages", m -> state == MessageState.RUNNING ? claimed(m, query) : any(m, query));
        return found.stream()
                .collect(Collectors.toMap(
                        StoredMessageRow::uid, row -> row, (first, moved) -> first, LinkedHashMap::new))
                .values()
                .stream()
                .limit(limit)
                .map(row -> row.toStoredMessage(queue.name()))
                .toList();
    }

    private static List<StoredMessageRow> claimed(InspectionMapper mapper, BrowseQuery query) {
        List<ClaimedLane> lanes = mapper.lanesEverClaimed(query.queue());
        return lanes.isEmpty() ? List.of() : mapper.claimed(lanes, query.limit());
    }

    private static List<StoredMessageRow> any(InspectionMapper mapper, BrowseQuery query) {
        boolean dead = query.state() == null || query.state() == MessageState.DEAD;
        Stream<StoredMessageRow> alive = query.state() == MessageState.DEAD
                ? Stream.empty()
                : Stream.of(mapper.inLanes(query), mapper.parked(query), mapper.scheduled(query))
                        .flatMap(List::stream);
        return Stream.concat(alive, dead ? mapper.dead(query).stream() : Stream.empty())
                .toList();
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
                        m -> Optional.ofNullable(m.findBlocking(lane, location.id(), location.orderKey())))
                : Optional.empty();
    }

    @Override
    public int countBefore(Lane lane, long id, int most) {
        return read("countBefore", m -> m.countBefore(lane, id, most));
    }

    @Override
    public Optional<NodeSummary> node(int node) {
        return read("node", m -> Optional.ofNullable(m.node(node)));
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
    public List<AuditEntry> recentAudit(int limit) {
        return read(
                "recentAudit",
                m -> m.recentAudit(limit).stream().map(AuditRow::toEntry).toList());
    }

    /** For reads of the backlog monitor. */
    private <T extends @Nullable Object> T readInTurn(String verb, Function<InspectionMapper, T> statements) {
        return transactions.runInTurn(verb, t -> statements.apply(t.mapper(InspectionMapper.class)));
    }

    private <T extends @Nullable Object> T read(String verb, Function<InspectionMapper, T> statements) {
        return transactions.runAndRelease(verb, t -> statements.apply(t.mapper(InspectionMapper.class)));
    }
}
