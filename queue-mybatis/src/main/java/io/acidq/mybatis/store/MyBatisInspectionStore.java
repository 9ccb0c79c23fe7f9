package io.acidq.mybatis.store;

import io.acidq.MessageId;
import io.acidq.admin.ArchivedMessage;
import io.acidq.admin.AuditEntry;
import io.acidq.admin.MessageContent;
import io.acidq.admin.MessageState;
import io.acidq.admin.StoredMessage;
import io.acidq.mybatis.session.StoreTransactions;
import io.acidq.mybatis.store.AuditMapper.AuditRow;
import io.acidq.mybatis.store.BrowseMapper.BrowseQuery;
import io.acidq.mybatis.store.BrowseMapper.ContentRow;
import io.acidq.mybatis.store.BrowseMapper.LivingNodeRow;
import io.acidq.mybatis.store.BrowseMapper.StoredMessageRow;
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
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads for operators: the backlog, messages, queues, nodes, the archive and the audit log. */
public final class MyBatisInspectionStore implements InspectionStore {

    private final StoreTransactions transactions;

    public MyBatisInspectionStore(StoreTransactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public Counts count(int queue, int most) {
        return transactions.runAndRelease(
                "count", t -> t.mapper(BacklogMapper.class).count(queue, most));
    }

    @Override
    public int countUnclaimed(int queue, int most) {
        return transactions.runAndRelease(
                "countUnclaimed", t -> t.mapper(BacklogMapper.class).countUnclaimed(queue, most));
    }

    @Override
    public @Nullable Duration oldestUnclaimed(int queue) {
        return Micros.duration(transactions.<@Nullable Long>runAndRelease(
                "oldestUnclaimed", t -> t.mapper(BacklogMapper.class).oldestUnclaimed(queue)));
    }

    @Override
    public List<QueueSummary> queues(int most) {
        return transactions.runAndRelease(
                "queues", t -> t.mapper(BrowseMapper.class).queues(most));
    }

    @Override
    public List<LivingNode> livingNodes(int most) {
        return transactions.runAndRelease(
                "living",
                t -> t.mapper(BrowseMapper.class).livingNodes(most).stream()
                        .map(LivingNodeRow::toLivingNode)
                        .toList());
    }

    @Override
    public List<StoredMessage> listMessages(QueueRow queue, @Nullable MessageState state, int limit, int lookedAt) {
        BrowseQuery browseQuery = new BrowseQuery(queue.id(), state, limit, lookedAt);
        List<StoredMessageRow> found = transactions.runAndRelease("listMessages", t -> {
            BrowseMapper mapper = t.mapper(BrowseMapper.class);
            return state == MessageState.RUNNING ? claimed(mapper, browseQuery) : any(mapper, browseQuery);
        });
        return found.stream()
                .collect(Collectors.toMap(StoredMessageRow::uid, l -> l, (first, moved) -> first, LinkedHashMap::new))
                .values()
                .stream()
                .limit(limit)
                .map(l -> l.toStoredMessage(queue.name()))
                .toList();
    }

    private static List<StoredMessageRow> claimed(BrowseMapper mapper, BrowseQuery browseQuery) {
        List<ClaimedLane> lanes = mapper.lanesEverClaimed(browseQuery.queue());
        return lanes.isEmpty() ? List.of() : mapper.claimed(lanes, browseQuery.limit());
    }

    private static List<StoredMessageRow> any(BrowseMapper mapper, BrowseQuery browseQuery) {
        boolean dead = browseQuery.state() == null || browseQuery.state() == MessageState.DEAD;
        Stream<StoredMessageRow> alive = browseQuery.state() == MessageState.DEAD
                ? Stream.empty()
                : Stream.of(mapper.inLanes(browseQuery), mapper.parked(browseQuery), mapper.scheduled(browseQuery))
                        .flatMap(List::stream);
        return Stream.concat(alive, dead ? mapper.dead(browseQuery).stream() : Stream.empty())
                .toList();
    }

    @Override
    public Optional<StoredMessage> findMessage(QueueRow queue, MessageId id) {
        return transactions.runAndRelease(
                "findMessage",
                t -> t.mapper(BrowseMapper.class).find(queue.id(), id.lane(), id.uid()).stream()
                        .map(l -> l.toStoredMessage(queue.name()))
                        .findFirst());
    }

    @Override
    public Optional<MessageId> keyHolder(QueueRow queue, String key) {
        return transactions.runAndRelease(
                "keyHolder",
                t -> Optional.ofNullable(t.mapper(BrowseMapper.class).keyHolder(queue.id(), key))
                        .map(h -> new MessageId(queue.name(), h.lane(), h.uid())));
    }

    @Override
    public Optional<MessageContent> content(QueueRow queue, MessageId id) {
        return transactions.runAndRelease(
                "content",
                t -> t.mapper(BrowseMapper.class).content(queue.id(), id.lane(), id.uid()).stream()
                        .map(ContentRow::content)
                        .findFirst());
    }

    @Override
    public Optional<MessageLocation> findLocation(Lane lane, UUID uid) {
        return transactions.runAndRelease(
                "findPlace",
                t -> t.mapper(DiagnosisMapper.class).find(lane, uid).stream().findFirst());
    }

    @Override
    public Optional<MessageLocation> findBlocking(Lane lane, MessageLocation messageLocation) {
        return messageLocation.isOrdered()
                ? transactions.runAndRelease(
                        "findBlocking",
                        t -> Optional.ofNullable(t.mapper(DiagnosisMapper.class)
                                .findBlocking(lane, messageLocation.id(), messageLocation.orderKey())))
                : Optional.empty();
    }

    @Override
    public int countBefore(Lane lane, long id, int most) {
        return transactions.runAndRelease(
                "countBefore", t -> t.mapper(DiagnosisMapper.class).countBefore(lane, id, most));
    }

    @Override
    public Optional<NodeSummary> node(int node) {
        return transactions.runAndRelease(
                "node", t -> Optional.ofNullable(t.mapper(DiagnosisMapper.class).node(node)));
    }

    @Override
    public boolean isServed(int queue) {
        String pattern = "%," + queue + ":%"; // as WorkersColumn writes it, with a comma before it
        return transactions.runAndRelease(
                "isServed", t -> t.mapper(DiagnosisMapper.class).isServed(pattern) != null);
    }

    @Override
    public Optional<ArchivedMessage> findArchived(QueueRow queue, UUID uid) {
        return transactions.runAndRelease(
                "findArchived",
                t -> Optional.ofNullable(t.mapper(ArchiveMapper.class).find(queue.id(), uid))
                        .map(row -> row.toArchivedMessage(queue.name())));
    }

    @Override
    public List<ArchivedMessage> listArchived(QueueRow queue, Instant from, Instant until, int limit) {
        return transactions.runAndRelease(
                "listArchived",
                t -> t
                        .mapper(ArchiveMapper.class)
                        .list(queue.id(), Micros.notBefore(from), Micros.notBefore(until), limit)
                        .stream()
                        .map(row -> row.toArchivedMessage(queue.name()))
                        .toList());
    }

    @Override
    public List<AuditEntry> auditOf(UUID uid) {
        return transactions.runAndRelease(
                "auditOf",
                t -> t.mapper(AuditMapper.class).of(uid).stream()
                        .map(AuditRow::toEntry)
                        .toList());
    }

    @Override
    public List<AuditEntry> recentAudit(int limit) {
        return transactions.runAndRelease(
                "recentAudit",
                t -> t.mapper(AuditMapper.class).recent(limit).stream()
                        .map(AuditRow::toEntry)
                        .toList());
    }
}
