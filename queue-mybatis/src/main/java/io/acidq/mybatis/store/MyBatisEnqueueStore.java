package io.acidq.mybatis.store;

import io.acidq.QueueMisuseException;
import io.acidq.mybatis.session.DirectStatement;
import io.acidq.mybatis.session.ExceptionTranslator;
import io.acidq.mybatis.session.MyBatisSessions;
import io.acidq.mybatis.session.Vendor;
import io.acidq.store.Claim;
import io.acidq.store.EnqueueStore;
import io.acidq.store.MessageRow;
import io.acidq.store.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.ibatis.session.SqlSession;

/** What enqueue does in the transaction on the calling thread. */
public final class MyBatisEnqueueStore implements EnqueueStore {

    private static final int ROWS_PER_STATEMENT = 500;

    /** Of payloads, each of which may take two in the text: what every server takes. */
    private static final long BYTES_PER_STATEMENT = 1 << 18;

    private final MyBatisSessions sessions;
    private final Transactions transactions;
    private final DirectStatement insertDue;
    private final DirectStatement insertClaimed;
    private final MessageKeyTable.QuickTake quickTake;

    public MyBatisEnqueueStore(MyBatisSessions sessions, Transactions transactions) {
        this.sessions = sessions;
        this.transactions = transactions;
        this.quickTake = new MessageKeyTable.QuickTake(sessions);
        this.insertDue = new DirectStatement(sessions, "insert", EnqueueMapper.class.getName() + ".insertDue");
        this.insertClaimed =
                new DirectStatement(sessions, "insertClaimed", EnqueueMapper.class.getName() + ".insertClaimed");
    }

    @Override
    public Optional<KeyHolder> takeKey(KeyClaim key) {
        Connection current = current("takeKey");
        KeyRow want = KeyRow.of(key);
        MessageKeyTable.QuickTake.Answer quick = quickTake.take(current, vendor(current, "takeKey"), want);
        return quick != null ? quick.holder() : inCurrent("takeKey", s -> keys(s).take(want));
    }

    @Override
    public List<Optional<KeyHolder>> takeKeys(List<KeyClaim> keys) {
        List<KeyRow> wants = keys.stream().map(KeyRow::of).toList();
        return inCurrent("takeKeys", s -> keys(s).takeAll(wants));
    }

    @Override
    public List<KeyState> lockKeys(List<KeyClaim> keys) {
        List<KeyRow> wants = keys.stream().map(KeyRow::of).toList();
        return inCurrent("lockKeys", s -> keys(s).lock(wants));
    }

    @Override
    public boolean replaceIfScheduled(KeyState found, MessageRow content) {
        Vendor vendor = vendor(current("replaceIfScheduled"), "replaceIfScheduled");
        return inCurrent("replaceIfScheduled", s -> {
            PacketSize.check(s.getMapper(EnqueueMapper.class), vendor, content.payload(), content.headers());
            return keys(s).replaceIfScheduled(found, content);
        });
    }

    @Override
    public void writeKeys(List<KeyWrite> keys) {
        inCurrent("writeKeys", s -> {
            keys(s).write(keys);
            return keys.size();
        });
    }

    @Override
    public void releaseKey(KeyClaim key) {
        inCurrent("releaseKey", s -> s.getMapper(KeyMapper.class).release(key));
    }

    @Override
    public void insert(List<MessageRow> messages) {
        List<InsertRow> due = new ArrayList<>();
        List<InsertRow> waiting = new ArrayList<>();
        messages.forEach(m -> (m.due().isNow() ? due : waiting).add(InsertRow.of(m)));
        Connection current = current("insert");
        Vendor vendor = vendor(current, "insert");
        if (!waiting.isEmpty() || messages.stream().anyMatch(m -> PacketSize.isLarge(m.payload()))) {
            inCurrent("insert", s -> {
                EnqueueMapper mapper = s.getMapper(EnqueueMapper.class);
                messages.forEach(m -> PacketSize.check(mapper, vendor, m.payload(), m.headers()));
                pieces(waiting).forEach(mapper::insertScheduled);
                return messages.size();
            });
        }
        pieces(due).forEach(piece -> insertDue.update(current, piece));
    }

    @Override
    public Claim insertClaimed(MessageRow message, int owner) {
        Connection current = current("insertClaimed");
        Vendor vendor = vendor(current, "insertClaimed");
        if (PacketSize.isLarge(message.payload())) {
            inCurrent("insertClaimed", s -> {
                PacketSize.check(s.getMapper(EnqueueMapper.class), vendor, message.payload(), message.headers());
                return message;
            });
        }
        InsertRow row = InsertRow.of(message);
        DirectStatement.Binder binder = (to, name) -> {
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

    private static MessageKeyTable keys(SqlSession session) {
        return new MessageKeyTable(session.getMapper(KeyMapper.class));
    }

    private Vendor vendor(Connection connection, String verb) {
        try {
            return sessions.vendor(connection);
        } catch (SQLException e) {
            throw ExceptionTranslator.translate(verb, e);
        }
    }

    /** In order; each small enough for a statement, or a single row. */
    private static List<List<InsertRow>> pieces(List<InsertRow> rows) {
        List<List<InsertRow>> pieces = new ArrayList<>();
        List<InsertRow> piece = new ArrayList<>();
        long bytes = 0;
        for (InsertRow row : rows) {
            if (!piece.isEmpty() && (piece.size() == ROWS_PER_STATEMENT || bytes + row.size() > BYTES_PER_STATEMENT)) {
                pieces.add(piece);
                piece = new ArrayList<>();
                bytes = 0;
            }
            piece.add(row);
            bytes += row.size();
        }
        if (!piece.isEmpty()) {
            pieces.add(piece);
        }
        return pieces;
    }

    private <T> T inCurrent(String what, Function<SqlSession, T> work) {
        return sessions.withSession(current(what), what, work);
    }

    private Connection current(String what) {
        Connection current = transactions.current();
        if (current == null) {
            throw new QueueMisuseException(what + " needs a transaction on the calling thread, and none is open");
        }
        return current;
    }
}
