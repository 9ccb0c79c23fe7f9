package io.acidq.mybatis.store;

import io.acidq.admin.MessagePosition;
import io.acidq.admin.MessagePosition.Place;
import io.acidq.admin.MessageQuery;
import io.acidq.admin.Messages.MessageSlice;
import io.acidq.admin.StoredMessage.MessageState;
import io.acidq.mybatis.store.InspectionMapper.BrowseQuery;
import io.acidq.mybatis.store.InspectionMapper.LanePosition;
import io.acidq.mybatis.store.InspectionMapper.ParkedPosition;
import io.acidq.mybatis.store.InspectionMapper.StoredMessageRow;
import io.acidq.mybatis.store.InspectionMapper.TimeAndId;
import io.acidq.mybatis.store.InspectionMapper.TimeAndUid;
import io.acidq.mybatis.store.NodeMapper.ClaimedLane;
import io.acidq.store.QueueStore.QueueRow;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One list of messages over the tables of a queue, from a position on. Where rows may not match, it first finds the last row of its look, which is a known number of rows
 * away, and reads no further. Used by one thread.
 */
final class MessageListing {

    private static final HexFormat HEX = HexFormat.of();

    private final InspectionMapper mapper;
    private final QueueRow queue;
    private final MessageQuery query;
    private final @Nullable Integer lane;
    private final int lookedAt;

    /** By uid: a message that moves from table to table is read in two of them. */
    private final Map<UUID, StoredMessageRow> found = new LinkedHashMap<>();

    MessageListing(InspectionMapper mapper, QueueRow queue, MessageQuery query, @Nullable Integer lane, int lookedAt) {
        this.mapper = mapper;
        this.queue = queue;
        this.query = query;
        this.lane = lane;
        this.lookedAt = lookedAt;
    }

    MessageSlice read() {
        MessagePosition begin = query.after();
        for (Place place : places()) {
            if (begin != null && place.compareTo(begin.place()) < 0) {
                continue;
            }
            BrowseQuery wanted = wanted(place, begin != null && begin.place() == place ? begin : null);
            MessagePosition end = isFiltered(place) ? end(place, wanted) : null;
            List<StoredMessageRow> rows = rows(place, end == null ? wanted : bounded(place, wanted, end), end);
            rows.forEach(row -> found.putIfAbsent(row.uid(), row));
            if (rows.size() == wanted.limit()) {
                return slice(Optional.of(position(place, rows.get(rows.size() - 1))), OptionalInt.empty());
            }
            if (end != null) {
                return slice(Optional.of(end), OptionalInt.of(lookedAt));
            }
        }
        return slice(Optional.empty(), OptionalInt.empty());
    }

    private MessageSlice slice(Optional<MessagePosition> next, OptionalInt cutAt) {
        return new MessageSlice(
                found.values().stream()
                        .map(row -> row.toStoredMessage(queue.name()))
                        .toList(),
                next,
                cutAt);
    }

    private List<Place> places() {
        MessageState state = query.state();
        if (state == null) {
            return List.of(Place.LANES, Place.PARKED, Place.SCHEDULED, Place.DEAD);
        }
        return switch (state) {
            case READY, WAITING -> List.of(Place.LANES, Place.PARKED, Place.SCHEDULED);
            case RUNNING -> List.of(Place.LANES);
            case DEAD -> List.of(Place.DEAD);
            case DONE -> List.of(Place.DONE);
        };
    }

    /** Whether a condition is checked on each row, because the index of the table does not have it. */
    private boolean isFiltered(Place place) {
        boolean byState = query.state() == MessageState.READY || query.state() == MessageState.WAITING;
        return switch (place) {
            case LANES ->
                query.state() != MessageState.RUNNING
                        && (byState || query.type() != null || query.orderingKey() != null);
            case PARKED -> byState || query.type() != null;
            case SCHEDULED, DEAD, DONE -> query.type() != null || query.orderingKey() != null;
        };
    }

    private BrowseQuery wanted(Place place, @Nullable MessagePosition after) {
        int limit = query.limit() - found.size();
        boolean isById = place == Place.LANES || place == Place.PARKED || place == Place.SCHEDULED;
        return new BrowseQuery(
                queue.id(),
                query.state(),
                query.type(),
                query.orderingKey(),
                lane,
                after == null || place != Place.LANES ? null : Integer.valueOf(after.first()),
                after == null || place != Place.PARKED
                        ? null
                        : new String(HEX.parseHex(after.first()), StandardCharsets.UTF_8),
                after == null || place == Place.LANES || place == Place.PARKED ? null : Instant.parse(after.first()),
                after == null || !isById ? null : Long.valueOf(after.second()),
                after == null || isById ? null : UUID.fromString(after.second()),
                null,
                null,
                null,
                limit,
                isFiltered(place) ? lookedAt : limit,
                lookedAt - 1);
    }

    /** The last row that is looked at; null if the table ends before it. */
    private @Nullable MessagePosition end(Place place, BrowseQuery wanted) {
        switch (place) {
            case LANES -> {
                LanePosition end = mapper.lookEndInLanes(wanted);
                return end == null ? null : position(place, end.lane(), end.id());
            }
            case PARKED -> {
                ParkedPosition end = mapper.lookEndOfParked(wanted);
                return end == null ? null : position(place, hex(end.orderingKey()), end.id());
            }
            case SCHEDULED -> {
                TimeAndId end = mapper.lookEndOfScheduled(wanted);
                return end == null ? null : position(place, end.at(), end.id());
            }
            default -> {
                TimeAndUid end = place == Place.DEAD ? mapper.lookEndOfDead(wanted) : mapper.lookEndOfDone(wanted);
                return end == null ? null : position(place, end.at(), end.uid());
            }
        }
    }

    private static BrowseQuery bounded(Place place, BrowseQuery wanted, MessagePosition end) {
        return switch (place) {
            case LANES, PARKED -> wanted; // looks at a number of rows itself
            case SCHEDULED -> wanted.until(Instant.parse(end.first()), Long.valueOf(end.second()), null);
            case DEAD, DONE -> wanted.until(Instant.parse(end.first()), null, UUID.fromString(end.second()));
        };
    }

    private List<StoredMessageRow> rows(Place place, BrowseQuery wanted, @Nullable MessagePosition end) {
        return switch (place) {
            case LANES ->
                query.state() == MessageState.RUNNING ? claimed(wanted) : upTo(end, place, mapper.inLanes(wanted));
            case PARKED -> upTo(end, place, mapper.parked(wanted));
            case SCHEDULED -> mapper.scheduled(wanted);
            case DEAD -> mapper.dead(wanted);
            case DONE -> mapper.done(wanted);
        };
    }

    private List<StoredMessageRow> claimed(BrowseQuery wanted) {
        Integer first = wanted.afterLane();
        List<ClaimedLane> lanes = mapper.lanesEverClaimed(queue.id()).stream()
                .filter(each -> (lane == null || each.lane() == lane) && (first == null || each.lane() >= first))
                .toList();
        return lanes.isEmpty() ? List.of() : mapper.claimed(lanes, wanted);
    }

    /** Leaves out rows behind the end: when rows were removed since it was found, the second read looks further. */
    private static List<StoredMessageRow> upTo(
            @Nullable MessagePosition end, Place place, List<StoredMessageRow> rows) {
        if (end == null) {
            return rows;
        }
        long id = Long.parseLong(end.second());
        Comparator<String> firsts =
                place == Place.LANES ? Comparator.comparing(Integer::valueOf) : Comparator.naturalOrder();
        return rows.stream()
                .filter(row -> {
                    int order = firsts.compare(position(place, row).first(), end.first());
                    return order < 0 || (order == 0 && row.id() <= id);
                })
                .toList();
    }

    private static MessagePosition position(Place place, StoredMessageRow row) {
        return switch (place) {
            case LANES -> position(place, row.lane(), row.id());
            case PARKED -> position(place, hex(row.orderingKey()), row.id());
            case SCHEDULED -> position(place, row.dueAt(), row.id());
            case DEAD, DONE -> position(place, row.dueAt(), row.uid());
        };
    }

    private static MessagePosition position(Place place, Object first, Object second) {
        return new MessagePosition(place, first.toString(), second.toString());
    }

    private static String hex(String orderingKey) {
        return HEX.formatHex(orderingKey.getBytes(StandardCharsets.UTF_8));
    }
}
