package io.acidq.mybatis.store;

import io.acidq.MessageContent;
import io.acidq.MessageId;
import io.acidq.MessageState;
import io.acidq.StoredMessage;
import io.acidq.mybatis.session.StoreTransactions;
import io.acidq.mybatis.store.BrowseMapper.ContentLine;
import io.acidq.mybatis.store.BrowseMapper.MessageLine;
import io.acidq.mybatis.store.BrowseMapper.NodeLine;
import io.acidq.mybatis.store.BrowseMapper.QueueLine;
import io.acidq.mybatis.store.BrowseMapper.Wanted;
import io.acidq.mybatis.store.NodeMapper.ClaimedLane;
import io.acidq.store.BrowseStore;
import io.acidq.store.QueueStore.QueueRow;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What lies in the tables, for people. */
public final class MyBatisBrowseStore implements BrowseStore {

    private final StoreTransactions transactions;

    public MyBatisBrowseStore(StoreTransactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public List<QueueLook> queues(int most) {
        return once("queues", m -> m.queues(most).stream().map(QueueLine::look).toList());
    }

    @Override
    public List<LivingNode> living(int most) {
        return once("living", m -> m.living(most).stream().map(NodeLine::look).toList());
    }

    @Override
    public List<StoredMessage> list(QueueRow queue, @Nullable MessageState state, int limit, int lookedAt) {
        Wanted wanted = new Wanted(queue.id(), state, limit, lookedAt);
        List<MessageLine> found =
                once("list", m -> state == MessageState.RUNNING ? claimed(m, wanted) : any(m, wanted));
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
    public Optional<StoredMessage> find(QueueRow queue, MessageId id) {
        return once(
                "find",
                m -> m.find(queue.id(), id.lane(), id.uid()).stream()
                        .map(l -> l.in(queue.name()))
                        .findFirst());
    }

    @Override
    public Optional<MessageId> keyHolder(QueueRow queue, String key) {
        return once(
                "keyHolder",
                m -> Optional.ofNullable(m.keyHolder(queue.id(), key))
                        .map(h -> new MessageId(queue.name(), h.lane(), h.uid())));
    }

    @Override
    public Optional<MessageContent> content(QueueRow queue, MessageId id) {
        return once(
                "content",
                m -> m.content(queue.id(), id.lane(), id.uid()).stream()
                        .map(ContentLine::content)
                        .findFirst());
    }

    private <T> T once(String what, Function<BrowseMapper, T> look) {
        return transactions.once(what, t -> look.apply(t.mapper(BrowseMapper.class)));
    }
}
