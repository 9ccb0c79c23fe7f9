package io.acidq.mybatis.store;

import io.acidq.admin.Operator;
import io.acidq.admin.RecurringMessages.TickEntry;
import io.acidq.mybatis.session.MyBatisSessions;
import io.acidq.mybatis.session.StoreTransactions;
import io.acidq.mybatis.store.RecurringMapper.NewRecurring;
import io.acidq.mybatis.store.RecurringMapper.OldTick;
import io.acidq.store.DatabaseError;
import io.acidq.store.MaintenanceStore.Pruned;
import io.acidq.store.RecurringStore;
import io.acidq.store.Transactions;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads and writes recurring messages and their ticks in the transaction on the calling thread. */
public final class MyBatisRecurringStore implements RecurringStore {

    private static final int ROWS_PER_STATEMENT = 500;
    private static final Pattern LIKE_CHARACTERS = Pattern.compile("[\\\\%_]");

    private final MyBatisSessions sessions;
    private final Transactions transactions;
    private final StoreTransactions own;

    public MyBatisRecurringStore(MyBatisSessions sessions, Transactions transactions, StoreTransactions own) {
        this.sessions = sessions;
        this.transactions = transactions;
        this.own = own;
    }

    @Override
    public @Nullable NextDue nextDue(Collection<String> except) {
        return own.readInTurn("nextDue", t -> t.mapper(RecurringMapper.class).nextDue(except));
    }

    @Override
    public List<DueName> due(int limit) {
        return own.readInTurn("due", t -> t.mapper(RecurringMapper.class).due(limit));
    }

    @Override
    public List<StoredRecurring> lockDue(Collection<String> names) {
        return inCurrent("lockDue", mapper -> mapper.lockDue(names));
    }

    @Override
    public @Nullable StoredRecurring lock(String name) {
        return inCurrent("lock", mapper -> mapper.lock(name));
    }

    @Override
    public @Nullable StoredRecurring find(String name) {
        return inCurrent("find", mapper -> mapper.find(name));
    }

    @Override
    public Instant now() {
        return inCurrent("now", RecurringMapper::now);
    }

    @Override
    public boolean insert(StoredRecurring row) {
        try {
            return inCurrent("put", mapper -> mapper.insert(NewRecurring.of(row))) == 1;
        } catch (RuntimeException e) {
            if (DatabaseError.of(e) == DatabaseError.DUPLICATE_KEY) {
                return false;
            }
            throw e;
        }
    }

    @Override
    public boolean update(StoredRecurring row) {
        return inCurrent("put", mapper -> mapper.update(NewRecurring.of(row))) == 1;
    }

    @Override
    public boolean setPaused(String name, boolean paused) {
        return inCurrent("setPaused", mapper -> mapper.setPaused(name, paused)) == 1;
    }

    @Override
    public boolean remove(String name) {
        return inCurrent("remove", mapper -> mapper.remove(name)) == 1;
    }

    @Override
    public boolean hasNotEnded(int queue, int lane, UUID uid) {
        return inCurrent("hasNotEnded", mapper -> mapper.hasNotEnded(queue, lane, uid));
    }

    @Override
    public void insertTicks(List<TickRow> ticks) {
        inCurrent("insertTicks", mapper -> {
            for (int from = 0; from < ticks.size(); from += ROWS_PER_STATEMENT) {
                mapper.insertTicks(ticks.subList(from, Math.min(ticks.size(), from + ROWS_PER_STATEMENT)));
            }
            return ticks.size();
        });
    }

    @Override
    public void advance(List<Advance> rows) {
        inCurrent("advance", mapper -> {
            for (Advance row : rows) {
                if (mapper.advance(row) != 1) { // its row is locked
                    throw new IllegalStateException(
                            "recurring message '" + row.name() + "' vanished while it was locked");
                }
            }
            return rows.size();
        });
    }

    @Override
    public void audit(int queue, String action, Operator operator, String detail) {
        inCurrent("audit", mapper -> mapper.insertAudit(operator.actor(), action, queue, operator.reason(), detail));
    }

    @Override
    public List<StoredRecurring> list(String prefix, int limit) {
        String pattern = LIKE_CHARACTERS.matcher(prefix).replaceAll("\\\\$0") + '%';
        return inCurrent("list", mapper -> mapper.list(pattern, limit));
    }

    @Override
    public List<TickEntry> ticks(String name, int limit) {
        return inCurrent("ticks", mapper -> mapper.ticks(name, limit)).stream()
                .map(row -> new TickEntry(
                        row.name(),
                        row.tickAt(),
                        row.result(),
                        row.missed(),
                        Optional.ofNullable(row.uid()),
                        row.doneAt()))
                .toList();
    }

    @Override
    public Pruned pruneTicks(Duration age, int limit) {
        return own.runInTurn("pruneTicks", t -> {
            List<OldTick> old = t.mapper(RecurringMapper.class).lockOldTicks(-Microseconds.of(age), limit);
            int removed = old.isEmpty() ? 0 : t.batch(RecurringMapper.class, m -> old.forEach(m::deleteTick));
            return new Pruned(removed, old.size() == limit);
        });
    }

    private <T extends @Nullable Object> T inCurrent(String what, Function<RecurringMapper, T> work) {
        return sessions.withSession(
                transactions.requireCurrent(what), what, s -> work.apply(s.getMapper(RecurringMapper.class)));
    }
}
