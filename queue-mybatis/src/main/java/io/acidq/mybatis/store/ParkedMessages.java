package io.acidq.mybatis.store;

import io.acidq.mybatis.session.StoreTransaction;
import io.acidq.mybatis.store.ClaimMapper.Follower;
import io.acidq.mybatis.store.ClaimMapper.IdList;
import io.acidq.mybatis.store.LaneClaim.HeadRow;
import io.acidq.store.ClaimStore.ClaimRequest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Parks followers of closed ordering keys outside the lane and moves them back, as steps of a claim that has locked the lane. Every message keeps its id,
 * and a refill marker has the id of the first parked message of its key. The ids alone therefore define the order, also for messages that are committed
 * late.
 */
final class ParkedMessages {

    /** The number of followers at the head of a lane from which they are parked: they cost each claim about a millisecond. */
    static final int PARK_THRESHOLD = 1_000;

    /**
     * The number of followers from which they are parked if the lane has no other messages: parking fewer and moving them back costs more than
     * reading past them.
     */
    static final int PARK_THRESHOLD_ALONE = 10 * PARK_THRESHOLD;

    /** The followers of a key that stay in the lane, so that a claim need not read beyond its first window. */
    static final int KEPT_PER_KEY = 30;

    /** The most messages that one claim moves back. Far fewer than {@link #PARK_THRESHOLD}, or they would be parked again. */
    static final int MAX_REFILL = 100;

    /** The most followers that one claim parks. */
    private static final int MAX_PARKED_AT_ONCE = 2_000;

    private static final long MAX_BYTES = 4 << 20;
    private static final int IDS_PER_STATEMENT = 500;

    private final StoreTransaction transaction;
    private final ClaimMapper mapper;
    private final int queue;
    private final int lane;
    private final int perKey;
    private boolean moved;

    ParkedMessages(StoreTransaction transaction, ClaimRequest request) {
        this.transaction = transaction;
        this.mapper = transaction.mapper(ClaimMapper.class);
        this.queue = request.queue();
        this.lane = request.lane();
        this.perKey = Math.max(KEPT_PER_KEY, request.budget().perKey());
    }

    /** Whether messages have been moved. */
    boolean hasMoved() {
        return moved;
    }

    /** Moves back the first parked messages of the keys of these markers, as many as one claim would take. */
    void refill(Collection<HeadRow> markers) {
        int left = MAX_REFILL;
        for (HeadRow marker : markers) {
            if (left > 0) {
                left -= refill(marker.id(), marker.orderingKey(), Math.min(left, perKey));
            }
        }
    }

    private int refill(long marker, String key, int limit) {
        List<Follower> first = mapper.parked(queue, key, limit + 1);
        List<Follower> back = withinBytes(first.subList(0, Math.min(limit, first.size())));
        mapper.deleteMarker(queue, lane, marker);
        if (!back.isEmpty()) {
            mapper.copyBack(queue, key, ids(back));
            mapper.deleteParked(queue, key, ids(back));
        }
        if (back.size() < first.size()) {
            mapper.insertMarker(queue, key, first.get(back.size()).id());
        }
        moved = true;
        return back.size();
    }

    /** Parks the messages behind dead heads; the map has the id of the head by ordering key. */
    void park(Map<String, Long> heads) {
        if (!heads.isEmpty()) {
            park(mapper.followers(queue, lane, Long.MAX_VALUE, heads.keySet(), MAX_PARKED_AT_ONCE).stream()
                    .filter(f -> f.id() > heads.getOrDefault(f.orderingKey(), 0L))
                    .toList());
        }
    }

    /**
     * Parks followers if there are many of them.
     *
     * @param closed the closed ordering keys
     * @param held   those of them that a dead head blocks
     * @param before the id before which followers are parked
     * @param alone  whether the lane has no other messages
     */
    void parkCrowd(Set<String> closed, Set<String> held, long before, boolean alone) {
        if (closed.isEmpty()) {
            return;
        }
        List<String> some = closed.stream().limit(IDS_PER_STATEMENT).toList();
        if (alone && held.isEmpty() && mapper.hasMore(queue, lane, some, PARK_THRESHOLD_ALONE) == null) {
            return;
        }
        Map<String, Integer> seen = new HashMap<>();
        List<Follower> crowd = mapper.followers(queue, lane, before, some, MAX_PARKED_AT_ONCE).stream()
                .filter(f ->
                        held.contains(f.orderingKey()) || seen.merge(f.orderingKey(), 1, Integer::sum) > KEPT_PER_KEY)
                .toList();
        if (crowd.size() >= PARK_THRESHOLD) {
            park(crowd);
        }
    }

    private void park(List<Follower> followers) {
        List<Follower> going = lock(withinBytes(followers));
        if (going.isEmpty()) {
            return;
        }
        Set<Long> markers = new HashSet<>();
        Map<String, Long> firsts = new LinkedHashMap<>();
        going.forEach(f -> firsts.putIfAbsent(f.orderingKey(), f.id()));
        firsts.forEach((key, first) -> {
            Long marker = mapper.firstParked(queue, key);
            if (marker == null || first < marker) {
                markers.add(first);
            }
            if (marker != null && first < marker) {
                mapper.deleteMarker(queue, lane, marker);
            }
        });
        chunks(ids(going)).forEach(ids -> mapper.copyToParked(queue, lane, ids));
        markers.forEach(id -> mapper.makeMarker(queue, lane, id));
        chunks(ids(going).stream().filter(id -> !markers.contains(id)).toList())
                .forEach(ids -> mapper.deleteFollowers(queue, lane, ids));
        moved = true;
    }

    /** Rows that another transaction has locked stay in the lane. */
    private List<Follower> lock(List<Follower> followers) {
        ClaimMapper claims = transaction.mapper(ClaimMapper.class);
        Set<Long> locked = chunks(ids(followers)).stream()
                .flatMap(ids -> claims.lockFree(queue, lane, new IdList(ids)).stream())
                .collect(Collectors.toSet());
        return followers.stream().filter(f -> locked.contains(f.id())).toList();
    }

    /** Returns the first followers whose payloads fit into one claim, at least one. */
    private static List<Follower> withinBytes(List<Follower> followers) {
        long bytes = 0;
        for (int i = 0; i < followers.size(); i++) {
            bytes += followers.get(i).size();
            if (i > 0 && bytes > MAX_BYTES) {
                return followers.subList(0, i);
            }
        }
        return followers;
    }

    private static List<List<Long>> chunks(List<Long> ids) {
        List<List<Long>> chunks = new ArrayList<>();
        for (int from = 0; from < ids.size(); from += IDS_PER_STATEMENT) {
            chunks.add(ids.subList(from, Math.min(from + IDS_PER_STATEMENT, ids.size())));
        }
        return chunks;
    }

    private static List<Long> ids(List<Follower> followers) {
        return followers.stream().map(Follower::id).toList();
    }
}
