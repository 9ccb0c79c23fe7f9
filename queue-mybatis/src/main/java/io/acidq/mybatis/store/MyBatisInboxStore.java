package io.acidq.mybatis.store;

import io.acidq.QueueMisuseException;
import io.acidq.mybatis.session.MyBatisSessions;
import io.acidq.mybatis.store.InboxMapper.Taken;
import io.acidq.store.InboxStore;
import io.acidq.store.Transactions;
import java.security.SecureRandom;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What the inbox does in the transaction on the calling thread. */
public final class MyBatisInboxStore implements InboxStore {

    private static final int ROWS_PER_STATEMENT = 500;
    private static final SecureRandom TAKERS = new SecureRandom();

    private final MyBatisSessions sessions;
    private final Transactions transactions;

    public MyBatisInboxStore(MyBatisSessions sessions, Transactions transactions) {
        this.sessions = sessions;
        this.transactions = transactions;
    }

    @Override
    public <T extends @Nullable Object, X extends Exception> T allOrNothing(AtomicWork<T, X> atomicWork) throws X {
        return SavepointScope.run(sessions, current("allOrNothing"), atomicWork);
    }

    @Override
    public Map<String, Instant> takeIfFree(String consumer, Collection<String> keys, Duration window) {
        List<String> sorted = keys.stream().sorted().toList();
        long taker = TAKERS.nextLong();
        return sessions.withSession(current("takeIfFree"), "takeIfFree", s -> {
            InboxMapper mapper = s.getMapper(InboxMapper.class);
            Map<String, Instant> held = new HashMap<>();
            for (int from = 0; from < sorted.size(); from += ROWS_PER_STATEMENT) {
                List<String> piece = sorted.subList(from, Math.min(from + ROWS_PER_STATEMENT, sorted.size()));
                mapper.takeIfFree(consumer, piece, taker, Micros.of(window));
                held.putAll(othersThan(taker, mapper.takers(consumer, piece), piece));
            }
            return held;
        });
    }

    private static Map<String, Instant> othersThan(long taker, List<Taken> rows, List<String> keys) {
        if (rows.size() != keys.size()) {
            throw new QueueMisuseException("of " + keys.size() + " keys in acidq_inbox, from '" + keys.get(0) + "' on, "
                    + rows.size() + " can be found again: a key is longer than 255 bytes, or the column is shorter");
        }
        return rows.stream().filter(r -> r.taker() != taker).collect(Collectors.toMap(Taken::key, Taken::doneAt));
    }

    private Connection current(String what) {
        Connection current = transactions.current();
        if (current == null) {
            throw new QueueMisuseException(what + " needs a transaction on the calling thread, and none is open");
        }
        return current;
    }
}
