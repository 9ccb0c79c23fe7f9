package io.acidq.mybatis.store;

import io.acidq.mybatis.session.StoreTransaction;
import io.acidq.mybatis.store.LaneClaim.HeadRow;
import io.acidq.mybatis.store.ParkedMapper.Follower;
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
 * Followers of closed ordering keys that a claim parks beside the lane and calls back. Steps of a claim: the lock of the lane makes them one at a time. Every
 * message keeps its id, and a refill marker stands at the id of the first that is parked of its key: so whatever the lane holds and
 * whatever commits late, the ids alone tell the order.
 */
final class ParkedMessages {

    /** Followers in front of a lane that are in the way of the others: they cost each claim about a millisecond. */
    static final int PARK_THRESHOLD = 1_000;

    /** Followers that are in the way when there is nothing else in the lane: to park fewer and to call them back costs more than to look past them. */
    static final int PARK_THRESHOLD_ALONE = 10 * PARK_THRESHOLD;

    /** Followers of a key that stay in the lane: with them a claim need not read beyond its first window. */
    static final int KEPT_PER_KEY = 30;

    /** Messages that come back in one claim at most. Far fewer than a crowd, or they would go and come. */
    static final int MAX_REFILL = 100;

    /** Followers that one claim moves at most. */
    private static final int MAX_PARKED_AT_ONCE = 2_000;

    private static final long MAX_BYTES = 4 << 20;
    private static final int IDS_PER_STATEMENT = 500;

    private final StoreTransaction transaction;
    private final ParkedMapper mapper;
    private final int queue;
    private final int lane;
    private final int perKey;
    private boolean moved;

    ParkedMessages(StoreTransaction transaction, ClaimRequest request) {
        this.transaction = transaction;
        this.mapper = transaction.mapper(ParkedMapper.class);
        this.queue = request.queue();
        this.lane = request.lane();
        this.perKey = Math.max(KEPT_PER_KEY, request.budget().perKey());
    }

    /** Whether it has changed anything. */
    boolean hasMoved() {
        return moved;
    }

    /** Calls back the first that are parked of the keys of these markers, as many as one claim would take. */
    void refill(Collection<HeadRow> markers) {
        int room = MAX_REFILL;
        for (HeadRow marker : markers) {
            if (room > 0) {
                room -= refill(marker.id(), marker.orderingKey(), Math.min(room, perKey));
            }
        }
    }

    private int refill(long marker, String key, int room) {
        List<Follower> first = mapper.parked(queue, key, room + 1);
        List<Follower> back = withinBytes(first.subList(0, Math.min(room, first.size())));
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

    /** Parks what waits behind dead heads that ask for it: by ordering key, the place of the head. */
    void park(Map<String, Long> heads) {
        if (!heads.isEmpty()) {
            park(mapper.followers(queue, lane, Long.MAX_VALUE, heads.keySet(), MAX_PARKED_AT_ONCE).stream()
                    .filter(f -> f.id() > heads.getOrDefault(f.orderKey(), 0L))
                    .toList());
        }
    }

    /**
     * Parks a crowd of followers.
     *
     * @param closed the closed keys
     * @param held   those of them that will stay closed for long
     * @param before only what lies in front of this id is in the way
     * @param alone  whether there is nothing else in the lane
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
                .filter(f -> held.contains(f.orderKey()) || seen.merge(f.orderKey(), 1, Integer::sum) > KEPT_PER_KEY)
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
        Set<Long> stay = new HashSet<>();
        Map<String, Long> firsts = new LinkedHashMap<>();
        going.forEach(f -> firsts.putIfAbsent(f.orderKey(), f.id()));
        firsts.forEach((key, first) -> {
            Long marker = mapper.firstParked(queue, key);
            if (marker == null || first < marker) {
                stay.add(first);
            }
            if (marker != null && first < marker) {
                mapper.deleteMarker(queue, lane, marker);
            }
        });
        pieces(ids(going)).forEach(ids -> mapper.copyToParked(queue, lane, ids));
        stay.forEach(id -> mapper.makeMarker(queue, lane, id));
        pieces(ids(going).stream().filter(id -> !stay.contains(id)).toList())
                .forEach(ids -> mapper.deleteFollowers(queue, lane, ids));
        moved = true;
    }

    /** Rows that another transaction changes just now stay where they are. */
    private List<Follower> lock(List<Follower> followers) {
        ClaimMapper claims = transaction.mapper(ClaimMapper.class);
        Set<Long> locked = pieces(ids(followers)).stream()
                .flatMap(ids -> claims.lockFree(queue, lane, new IdList(ids)).stream())
                .collect(Collectors.toSet());
        return followers.stream().filter(f -> locked.contains(f.id())).toList();
    }

    /** The first of them, at least one. */
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

    private static List<List<Long>> pieces(List<Long> ids) {
        List<List<Long>> pieces = new ArrayList<>();
        for (int from = 0; from < ids.size(); from += IDS_PER_STATEMENT) {
            pieces.add(ids.subList(from, Math.min(from + IDS_PER_STATEMENT, ids.size())));
        }
        return pieces;
    }

    private static List<Long> ids(List<Follower> followers) {
        return followers.stream().map(Follower::id).toList();
    }
}
