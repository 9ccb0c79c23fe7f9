package io.acidq.mybatis.store;

import io.acidq.Receipt;
import io.acidq.mybatis.session.MyBatisSessions;
import io.acidq.mybatis.session.RawStatement;
import io.acidq.mybatis.store.EnqueueMapper.InsertRow;
import io.acidq.mybatis.store.KeyMapper.KeyRow;
import io.acidq.store.Claim;
import io.acidq.store.EnqueueStore;
import io.acidq.store.EnqueueStore.MessageRow;
import io.acidq.store.Transactions;
import java.sql.Connection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.ibatis.session.SqlSession;

/** Takes message keys and inserts messages in the transaction on the calling thread. */
public final class MyBatisEnqueueStore implements EnqueueStore {

    private static final int ROWS_PER_STATEMENT = 500;

    private final MyBatisSessions sessions;
    private final Transactions transactions;
    private final PacketLimit packet;
    private final RawStatement insertDue;
    private final RawStatement insertDueExpiring;
    private final RawStatement insertClaimed;
    private final RawKeyInsert directInsert;

    public MyBatisEnqueueStore(MyBatisSessions sessions, Transactions transactions) {
        this.sessions = sessions;
        this.transactions = transactions;
        this.packet = new PacketLimit(sessions);
        this.directInsert = new RawKeyInsert(sessions);
        this.insertDue = new RawStatement(sessions, "insert", EnqueueMapper.class.getName() + ".insertDue");
        this.insertDueExpiring =
                new RawStatement(sessions, "insert", EnqueueMapper.class.getName() + ".insertDueExpiring");
        this.insertClaimed =
                new RawStatement(sessions, "insertClaimed", EnqueueMapper.class.getName() + ".insertClaimed");
    }

    @Override
    public Optional<KeyHolder> takeKey(KeyClaim key) {
        Connection current = transactions.requireCurrent("takeKey");
        KeyRow want = KeyRow.of(key);
        RawKeyInsert.TakeResult direct = directInsert.take(current, sessions.vendor(current, "takeKey"), want);
        return direct != null ? direct.holder() : inCurrent("takeKey", s -> keys(s).take(want));
    }

    @Override
    public List<Optional<KeyHolder>> takeKeys(List<KeyClaim> keys) {
        List<KeyRow> wants = keys.stream().map(KeyRow::of).toList();
        return inCurrent(
                "takeKeys",
                s -> chunks(wants, KeyRow::key).stream()
                        .flatMap(chunk -> keys(s).takeAll(chunk).stream())
                        .toList());
    }

    @Override
    public List<KeyState> lockKeys(List<KeyClaim> keys) {
        List<KeyRow> wants = keys.stream().map(KeyRow::of).toList();
        return inCurrent(
                "lockKeys",
                s -> chunks(wants, KeyRow::key).stream()
                        .flatMap(chunk -> keys(s).lock(chunk).stream())
                        .toList());
    }

    @Override
    public boolean replaceIfScheduled(KeyState found, MessageRow content) {
        InsertRow row = InsertRow.of(content);
        packet.check(
                transactions.requireCurrent("replaceIfScheduled"),
                "replaceIfScheduled",
                row.payload(),
                row.maxTextBytes());
        return inCurrent("replaceIfScheduled", s -> keys(s).replaceIfScheduled(found, content));
    }

    @Override
    public Optional<KeyState> lockKey(int queue, String key) {
        return inCurrent("lockKey", s -> keys(s).lockIfPresent(queue, key));
    }

    @Override
    public boolean withdrawIfScheduled(int queue, KeyState found) {
        return inCurrent("withdrawIfScheduled", s -> {
            boolean withdrawn = keys(s).withdrawIfScheduled(queue, found);
            if (withdrawn) {
                new ReceiptEndings(s.getMapper(ReceiptMapper.class))
                        .end(List.of(found.holder().uid()), Receipt.State.CANCELLED);
            }
            return withdrawn;
        });
    }

    @Override
    public boolean rescheduleIfScheduled(KeyState found, Instant due) {
        return inCurrent("rescheduleIfScheduled", s -> keys(s).rescheduleIfScheduled(found, due));
    }

    @Override
    public void writeKeys(List<KeyWrite> keys) {
        inCurrent("writeKeys", s -> {
            chunks(keys, write -> write.claim().key()).forEach(keys(s)::write);
            return keys.size();
        });
    }

    @Override
    public void releaseKey(KeyClaim key) {
        inCurrent("releaseKey", s -> s.getMapper(KeyMapper.class).release(key));
    }

    @Override
    public void insert(List<MessageRow> messages) {
        Connection current = transactions.requireCurrent("insert");
        List<InsertRow> due = new ArrayList<>();
        List<InsertRow> waiting = new ArrayList<>();
        for (MessageRow message : messages) {
            InsertRow row = InsertRow.of(message);
            packet.check(current, "insert", row.payload(), row.maxTextBytes());
            (message.due().isNow() ? due : waiting).add(row);
        }
        if (!waiting.isEmpty()) {
            inCurrent("insert", s -> {
                chunks(current, waiting).forEach(s.getMapper(EnqueueMapper.class)::insertScheduled);
                return waiting.size();
            });
        }
        RawStatement insert = due.stream().anyMatch(InsertRow::expires) ? insertDueExpiring : insertDue;
        chunks(current, due).forEach(chunk -> insert.update(current, chunk));
    }

    private List<List<InsertRow>> chunks(Connection current, List<InsertRow> rows) {
        return packet.chunks(current, "insert", rows, ROWS_PER_STATEMENT, InsertRow::maxBytes);
    }

    @Override
    public Claim insertClaimed(MessageRow message, int owner) {
        Connection current = transactions.requireCurrent("insertClaimed");
        InsertRow row = InsertRow.of(message);
        packet.check(current, "insertClaimed", row.payload(), row.maxTextBytes());
        RawStatement.Binder binder = (to, name) -> {
            if (name.equals("owner")) {
                to.number(owner);
            } else {
                row.bind(to, name);
            }
        };
        return new Claim(
                message.queue(),
                message.lane(),
                insertClaimed.insertAndGetId(current, binder),
                message.uid(),
                owner,
                1);
    }

    private <T> List<List<T>> chunks(List<T> rows, Function<T, String> key) {
        return packet.chunks(
                transactions.requireCurrent("keys"),
                "keys",
                rows,
                ROWS_PER_STATEMENT,
                row -> (long) PacketLimit.BYTES_PER_CHAR * key.apply(row).length());
    }

    private static MessageKeyTable keys(SqlSession session) {
        return new MessageKeyTable(session.getMapper(KeyMapper.class));
    }

    private <T> T inCurrent(String what, Function<SqlSession, T> work) {
        return sessions.withSession(transactions.requireCurrent(what), what, work);
    }
}
