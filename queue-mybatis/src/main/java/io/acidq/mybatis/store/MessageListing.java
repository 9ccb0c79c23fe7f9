package io.acidq.mybatis.store;

import io.acidq.admin.MessagePosition;
import io.acidq.admin.MessageQuery;
import io.acidq.admin.MessageTable;
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
 * One list of messages over the tables of a queue, from a position on. Where rows may not match, it first finds the last row that it scans, which is a known number of rows
 * away, and reads no further. Used by one thread.
 */
final class MessageListing {

    private static final HexFormat HEX = HexFormat.of();

    private final InspectionMapper mapper;
    private final QueueRow queue;
    private final MessageQuery query;
    private final @Nullable Integer lane;
    private final int scanLimit;

    /** By uid: a message that moves from table to table is read in two of them. */
    private final Map<UUID, StoredMessageRow> found = new LinkedHashMap<>();

    MessageListing(InspectionMapper mapper, QueueRow queue, MessageQuery query, @Nullable Integer lane, int scanLimit) {
        this.mapper = mapper;
        this.queue = queue;
        this.query = query;
        this.lane = lane;
        this.scanLimit = scanLimit;
    }

    MessageSlice read() {
        MessagePosition begin = query.after();
        for (MessageTable table : tables()) {
            if (begin != null && table.compareTo(begin.table()) < 0) {
                continue;
            }
            BrowseQuery wanted = wanted(table, begin != null && begin.table() == table ? begin : null);
            MessagePosition end = isFiltered(table) ? end(table, wanted) : null;
            List<StoredMessageRow> rows = rows(table, end == null ? wanted : bounded(table, wanted, end), end);
            rows.forEach(row -> found.putIfAbsent(row.uid(), row));
            if (rows.size() == wanted.limit()) {
                return slice(Optional.of(position(table, rows.get(rows.size() - 1))), OptionalInt.empty());
            }
            if (end != null) {
                return slice(Optional.of(end), OptionalInt.of(scanLimit));
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

    private List<MessageTable> tables() {
        MessageState state = query.state();
        if (state == null) {
            return List.of(MessageTable.LANE, MessageTable.PARKED, MessageTable.SCHEDULED, MessageTable.DEAD);
        }
        return switch (state) {
            case READY, WAITING -> List.of(MessageTable.LANE, MessageTable.PARKED, MessageTable.SCHEDULED);
            case RUNNING -> List.of(MessageTable.LANE);
            case DEAD -> List.of(MessageTable.DEAD);
            case DONE -> List.of(MessageTable.ARCHIVE);
        };
    }

    /** Whether a condition is checked on each row, because the index of the table does not have it. */
    private boolean isFiltered(MessageTable table) {
        boolean byState = query.state() == MessageState.READY || query.state() == MessageState.WAITING;
        return switch (table) {
            case LANE ->
                query.state() != MessageState.RUNNING
                        && (byState || query.type() != null || query.orderingKey() != null);
            case PARKED -> byState || query.type() != null;
            case SCHEDULED, DEAD, ARCHIVE -> query.type() != null || query.orderingKey() != null;
        };
    }

    private BrowseQuery wanted(MessageTable table, @Nullable MessagePosition after) {
        int limit = query.limit() - found.size();
        boolean isById = table == MessageTable.LANE || table == MessageTable.PARKED || table == MessageTable.SCHEDULED;
        return new BrowseQuery(
                queue.id(),
                query.state(),
                query.type(),
                query.orderingKey(),
                lane,
                after == null || table != MessageTable.LANE ? null : Integer.valueOf(after.first()),
                after == null || table != MessageTable.PARKED
                        ? null
                        : new String(HEX.parseHex(after.first()), StandardCharsets.UTF_8),
                after == null || table == MessageTable.LANE || table == MessageTable.PARKED
                        ? null
                        : Instant.parse(after.first()),
                after == null || !isById ? null : Long.valueOf(after.second()),
                after == null || isById ? null : UUID.fromString(after.second()),
                null,
                null,
                null,
                limit,
                isFiltered(table) ? scanLimit : limit,
                scanLimit - 1);
    }

    /** The last row that is scanned; null if the table ends before it. */
    private @Nullable MessagePosition end(MessageTable table, BrowseQuery wanted) {
        switch (table) {
            case LANE -> {
                LanePosition end = mapper.scanEndInLanes(wanted);
                return end == null ? null : position(table, end.lane(), end.id());
            }
            case PARKED -> {
                ParkedPosition end = mapper.scanEndOfParked(wanted);
                return end == null ? null : position(table, hex(end.orderingKey()), end.id());
            }
            case SCHEDULED -> {
                TimeAndId end = mapper.scanEndOfScheduled(wanted);
                return end == null ? null : position(table, end.at(), end.id());
            }
            default -> {
                TimeAndUid end =
                        table == MessageTable.DEAD ? mapper.scanEndOfDead(wanted) : mapper.scanEndOfDone(wanted);
                return end == null ? null : position(table, end.at(), end.uid());
            }
        }
    }

    private static BrowseQuery bounded(MessageTable table, BrowseQuery wanted, MessagePosition end) {
        return switch (table) {
            case LANE, PARKED -> wanted; // limits the scanned rows itself
            case SCHEDULED -> wanted.until(Instant.parse(end.first()), Long.valueOf(end.second()), null);
            case DEAD, ARCHIVE -> wanted.until(Instant.parse(end.first()), null, UUID.fromString(end.second()));
        };
    }

    private List<StoredMessageRow> rows(MessageTable table, BrowseQuery wanted, @Nullable MessagePosition end) {
        return switch (table) {
            case LANE ->
                query.state() == MessageState.RUNNING ? claimed(wanted) : upTo(end, table, mapper.inLanes(wanted));
            case PARKED -> upTo(end, table, mapper.parked(wanted));
            case SCHEDULED -> mapper.scheduled(wanted);
            case DEAD -> mapper.dead(wanted);
            case ARCHIVE -> mapper.done(wanted);
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
            @Nullable MessagePosition end, MessageTable table, List<StoredMessageRow> rows) {
        if (end == null) {
            return rows;
        }
        long id = Long.parseLong(end.second());
        Comparator<String> firsts =
                table == MessageTable.LANE ? Comparator.comparing(Integer::valueOf) : Comparator.naturalOrder();
        return rows.stream()
                .filter(row -> {
                    int order = firsts.compare(position(table, row).first(), end.first());
                    return order < 0 || (order == 0 && row.id() <= id);
                })
                .toList();
    }

    private static MessagePosition position(MessageTable table, StoredMessageRow row) {
        return switch (table) {
            case LANE -> position(table, row.lane(), row.id());
            case PARKED -> position(table, hex(row.orderingKey()), row.id());
            case SCHEDULED -> position(table, row.dueAt(), row.id());
            case DEAD, ARCHIVE -> position(table, row.dueAt(), row.uid());
        };
    }

    private static MessagePosition position(MessageTable table, Object first, Object second) {
        return new MessagePosition(table, first.toString(), second.toString());
    }

    private static String hex(String orderingKey) {
        return HEX.formatHex(orderingKey.getBytes(StandardCharsets.UTF_8));
    }
}
