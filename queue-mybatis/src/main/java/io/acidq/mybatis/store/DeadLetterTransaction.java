package io.acidq.mybatis.store;

import io.acidq.TransientQueueException;
import io.acidq.mybatis.session.StoreTransaction;
import io.acidq.mybatis.store.AuditMapper.NewBulk;
import io.acidq.mybatis.store.AuditMapper.NewLetters;
import io.acidq.store.DeadLetterStore.Acted;
import io.acidq.store.DeadLetterStore.Bulk;
import io.acidq.store.DeadLetterStore.Deed;
import io.acidq.store.DeadLetterStore.Letter;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * One transaction that replays or discards letters: locks those that are still dead since the same time, records what is done to them,
 * and does it. The number of statements does not depend on the number of letters.
 */
final class DeadLetterTransaction {

    private final StoreTransaction transaction;
    private final DeadLetterMapper mapper;
    private final Deed deed;
    private final List<Letter> wanted;

    DeadLetterTransaction(StoreTransaction transaction, Deed deed, List<Letter> wanted) {
        this.transaction = transaction;
        this.mapper = transaction.mapper(DeadLetterMapper.class);
        this.deed = deed;
        this.wanted = wanted;
    }

    Acted replay() {
        List<Letter> dead = mapper.lockIfDead(wanted);
        List<Letter> free = withTheirKeys(dead);
        return free.isEmpty() ? nothing(dead.size()) : replay("replay", free, dead.size(), "");
    }

    Acted edit(byte[] payload) {
        List<Letter> dead = mapper.lockIfDead(wanted);
        List<Letter> free = withTheirKeys(dead);
        if (free.isEmpty()) {
            return nothing(dead.size());
        }
        Letter letter = free.get(0);
        String before = ErrorText.sha256Hex(mapper.payload(letter).payload());
        mapper.edit(letter, payload, payload.length);
        return replay("edit", free, dead.size(), " payload sha256=" + before + " now=" + ErrorText.sha256Hex(payload));
    }

    Acted discard() {
        List<Letter> dead = mapper.lockIfDead(wanted);
        if (dead.isEmpty()) {
            return nothing(0);
        }
        Acted acted = record("discard", dead, new Acted(dead.size(), wanted.size() - dead.size(), 0, bulkId()), "");
        List<Letter> holding = dead.stream().filter(Letter::isHolding).toList();
        if (!holding.isEmpty()) {
            mapper.deleteMarkers(holding);
        }
        requireAll("deleted", mapper.deleteDead(dead), dead.size());
        return acted;
    }

    /** Gives the place up; the letter stays. */
    Acted release() {
        List<Letter> holding =
                mapper.lockIfDead(wanted).stream().filter(Letter::isHolding).toList();
        if (holding.isEmpty()) {
            return nothing(0);
        }
        Acted acted = record("release", holding, new Acted(holding.size(), wanted.size() - holding.size(), 0, 0), "");
        mapper.deleteMarkers(holding);
        holding.forEach(mapper::forgetPlace);
        return acted;
    }

    private Acted replay(String action, List<Letter> free, int dead, String more) {
        Acted acted =
                record(action, free, new Acted(free.size(), wanted.size() - dead, dead - free.size(), bulkId()), more);
        moveBack(free);
        requireAll("deleted", mapper.deleteDead(free), free.size());
        return acted;
    }

    /** Each into the place that a marker keeps for it, or to the tail of its lane. */
    private void moveBack(List<Letter> letters) {
        List<Letter> holding = letters.stream().filter(Letter::isHolding).toList();
        Set<UUID> kept = holding.isEmpty() ? Set.of() : new HashSet<>(mapper.lockMarkers(holding));
        List<Letter> inPlace =
                holding.stream().filter(l -> kept.contains(l.uid())).toList();
        List<Letter> toTail =
                letters.stream().filter(l -> !kept.contains(l.uid())).toList();
        if (!inPlace.isEmpty()) {
            requireAll("put back", mapper.swapBack(inPlace), inPlace.size());
        }
        if (!toTail.isEmpty()) {
            requireAll("moved", mapper.copyToHot(toTail), toTail.size());
        }
    }

    private Acted nothing(int dead) {
        Acted acted = new Acted(0, wanted.size() - dead, dead, bulkId());
        Bulk bulk = deed.bulk();
        if (bulk != null && bulk.id() != 0) {
            transaction.mapper(AuditMapper.class).updateBulk(bulk.id(), counts(bulk.plus(acted)));
        }
        return acted;
    }

    private List<Letter> withTheirKeys(List<Letter> dead) {
        if (dead.isEmpty()) {
            return dead;
        }
        MessageKeyTable keys = new MessageKeyTable(transaction.mapper(KeyMapper.class));
        Set<UUID> refused = keys.takeOrRefuse(mapper.strayKeys(dead));
        return dead.stream().filter(l -> !refused.contains(l.uid())).toList();
    }

    /** The row of a bulk action comes with its first change, and its counts with each. */
    private Acted record(String action, List<Letter> letters, Acted acted, String more) {
        AuditMapper audit = transaction.mapper(AuditMapper.class);
        long id = bulkId();
        Bulk bulk = deed.bulk();
        if (bulk != null && id == 0) {
            NewBulk row = new NewBulk(deed, action, bulk, counts(bulk.plus(acted)));
            audit.insertBulk(row);
            id = row.id;
        } else if (bulk != null) {
            audit.updateBulk(id, counts(bulk.plus(acted)));
        }
        audit.insertLetters(new NewLetters(deed.actor(), action, deed.reason(), id, letters, more));
        return new Acted(acted.changed(), acted.lost(), acted.keyTaken(), id);
    }

    private long bulkId() {
        Bulk bulk = deed.bulk();
        return bulk == null ? 0 : bulk.id();
    }

    private static String counts(Bulk bulk) {
        return "matched=" + bulk.matched() + " changed=" + bulk.changed() + " lost=" + bulk.lost() + " keyTaken="
                + bulk.keyTaken();
    }

    /** They are locked, so only a trigger can change the count. */
    private static void requireAll(String what, int count, int letters) {
        if (count != letters) {
            throw new TransientQueueException(
                    count + " of " + letters + " locked dead letters were " + what + ": nothing was changed",
                    new SQLException("count " + count));
        }
    }
}
