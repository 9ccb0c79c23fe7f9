package io.acidq.mybatis.store;

import io.acidq.MessageId;
import io.acidq.admin.ArchivedMessage;
import io.acidq.admin.AuditEntry;
import io.acidq.admin.MessageContent;
import io.acidq.admin.MessageState;
import io.acidq.admin.StoredMessage;
import io.acidq.mybatis.session.StoreTransactions;
import io.acidq.mybatis.store.AuditMapper.AuditRow;
import io.acidq.mybatis.store.BrowseMapper.ContentLine;
import io.acidq.mybatis.store.BrowseMapper.MessageLine;
import io.acidq.mybatis.store.BrowseMapper.NodeLine;
import io.acidq.mybatis.store.BrowseMapper.Wanted;
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
        return transactions.once("count", t -> t.mapper(BacklogMapper.class).count(queue, most));
    }

    @Override
    public int countUnclaimed(int queue, int most) {
        return transactions.once(
                "countUnclaimed", t -> t.mapper(BacklogMapper.class).countUnclaimed(queue, most));
    }

    @Override
    public @Nullable Duration oldestUnclaimed(int queue) {
        return Micros.duration(transactions.<@Nullable Long>once(
                "oldestUnclaimed", t -> t.mapper(BacklogMapper.class).oldestUnclaimed(queue)));
    }

    @Override
    public List<QueueSummary> queues(int most) {
        return transactions.once("queues", t -> t.mapper(BrowseMapper.class).queues(most));
    }

    @Override
    public List<LivingNode> livingNodes(int most) {
        return transactions.once(
                "living",
                t -> t.mapper(BrowseMapper.class).living(most).stream()
                        .map(NodeLine::look)
                        .toList());
    }

    @Override
    public List<StoredMessage> listMessages(QueueRow queue, @Nullable MessageState state, int limit, int lookedAt) {
        Wanted wanted = new Wanted(queue.id(), state, limit, lookedAt);
        List<MessageLine> found = transactions.once("listMessages", t -> {
            BrowseMapper mapper = t.mapper(BrowseMapper.class);
            return state == MessageState.RUNNING ? claimed(mapper, wanted) : any(mapper, wanted);
        });
        return found.stream()
                .collect(Collectors.toMap(MessageLine::uid, l -> l, (first, moved) -> first, LinkedHashMap::new))
                .values()
                .stream()
                .limit(limit)
                .map(l -> l.in(queue.name()))
                .toList();
    }

    private static List<MessageLine> claimed(BrowseMapper mapper, Wanted wanted) {
        List<ClaimedLane> lanes = mapper.lanesEverClaimed(wanted.queue());
        return lanes.isEmpty() ? List.of() : mapper.claimed(lanes, wanted.limit());
    }

    private static List<MessageLine> any(BrowseMapper mapper, Wanted wanted) {
        boolean dead = wanted.state() == null || wanted.state() == MessageState.DEAD;
        Stream<MessageLine> alive = wanted.state() == MessageState.DEAD
                ? Stream.empty()
                : Stream.of(mapper.inLanes(wanted), mapper.parked(wanted), mapper.scheduled(wanted))
                        .flatMap(List::stream);
        return Stream.concat(alive, dead ? mapper.dead(wanted).stream() : Stream.empty())
                .toList();
    }

    @Override
    public Optional<StoredMessage> findMessage(QueueRow queue, MessageId id) {
        return transactions.once(
                "findMessage",
                t -> t.mapper(BrowseMapper.class).find(queue.id(), id.lane(), id.uid()).stream()
                        .map(l -> l.in(queue.name()))
                        .findFirst());
    }

    @Override
    public Optional<MessageId> keyHolder(QueueRow queue, String key) {
        return transactions.once(
                "keyHolder",
                t -> Optional.ofNullable(t.mapper(BrowseMapper.class).keyHolder(queue.id(), key))
                        .map(h -> new MessageId(queue.name(), h.lane(), h.uid())));
    }

    @Override
    public Optional<MessageContent> content(QueueRow queue, MessageId id) {
        return transactions.once(
                "content",
                t -> t.mapper(BrowseMapper.class).content(queue.id(), id.lane(), id.uid()).stream()
                        .map(ContentLine::content)
                        .findFirst());
    }

    @Override
    public Optional<MessageLocation> findLocation(Lane lane, UUID uid) {
        return transactions.once(
                "findPlace",
                t -> t.mapper(WhyMapper.class).find(lane, uid).stream().findFirst());
    }

    @Override
    public Optional<MessageLocation> findBlocking(Lane lane, MessageLocation messageLocation) {
        return messageLocation.isOrdered()
                ? transactions.once(
                        "closing",
                        t -> Optional.ofNullable(t.mapper(WhyMapper.class)
                                .closing(lane, messageLocation.id(), messageLocation.orderKey())))
                : Optional.empty();
    }

    @Override
    public int countBefore(Lane lane, long id, int most) {
        return transactions.once("countBefore", t -> t.mapper(WhyMapper.class).countBefore(lane, id, most));
    }

    @Override
    public Optional<NodeSummary> node(int node) {
        return transactions.once(
                "node", t -> Optional.ofNullable(t.mapper(WhyMapper.class).node(node)));
    }

    @Override
    public boolean isServed(int queue) {
        String pattern = "%," + queue + ":%"; // as WorkersColumn writes it, with a comma before it
        return transactions.once("isServed", t -> t.mapper(WhyMapper.class).isServed(pattern) != null);
    }

    @Override
    public Optional<ArchivedMessage> findArchived(QueueRow queue, UUID uid) {
        return transactions.once(
                "findArchived",
                t -> Optional.ofNullable(t.mapper(ArchiveMapper.class).find(queue.id(), uid))
                        .map(row -> row.in(queue.name())));
    }

    @Override
    public List<ArchivedMessage> listArchived(QueueRow queue, Instant from, Instant until, int limit) {
        return transactions.once(
                "listArchived",
                t -> t
                        .mapper(ArchiveMapper.class)
                        .list(queue.id(), Micros.notBefore(from), Micros.notBefore(until), limit)
                        .stream()
                        .map(row -> row.in(queue.name()))
                        .toList());
    }

    @Override
    public List<AuditEntry> auditOf(UUID uid) {
        return transactions.once(
                "auditOf",
                t -> t.mapper(AuditMapper.class).of(uid).stream()
                        .map(AuditRow::entry)
                        .toList());
    }

    @Override
    public List<AuditEntry> recentAudit(int limit) {
        return transactions.once(
                "recentAudit",
                t -> t.mapper(AuditMapper.class).recent(limit).stream()
                        .map(AuditRow::entry)
                        .toList());
    }
}
