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

    private static final int ROWS = 500;

    /** Of payloads, each of which may take two in the text: what every server takes. */
    private static final long BYTES = 1 << 18;

    private final MyBatisSessions sessions;
    private final Transactions transactions;
    private final DirectStatement insertDue;
    private final DirectStatement insertClaimed;
    private final QuickKeyTaking keys;

    public MyBatisEnqueueStore(MyBatisSessions sessions, Transactions transactions) {
        this.sessions = sessions;
        this.transactions = transactions;
        this.keys = new QuickKeyTaking(sessions);
        this.insertDue = new DirectStatement(sessions, "insert", EnqueueMapper.class.getName() + ".insertDue");
        this.insertClaimed =
                new DirectStatement(sessions, "insertClaimed", EnqueueMapper.class.getName() + ".insertClaimed");
    }

    @Override
    public Optional<KeyHolder> takeKey(KeyClaim key) {
        Connection current = current("takeKey");
        WantedKey want = WantedKey.of(key);
        QuickKeyTaking.Answer quick = keys.take(current, vendor(current, "takeKey"), want);
        return quick != null
                ? quick.holder()
                : inCurrent("takeKey", s -> new KeyTaking(s.getMapper(KeyMapper.class), want).take());
    }

    @Override
    public List<Optional<KeyHolder>> takeKeys(List<KeyClaim> keys) {
        List<WantedKey> wants = keys.stream().map(WantedKey::of).toList();
        return inCurrent("takeKeys", s -> new BulkKeyTaking(s.getMapper(KeyMapper.class)).take(wants));
    }

    @Override
    public List<KeyState> lockKeys(List<KeyClaim> keys) {
        List<WantedKey> wants = keys.stream().map(WantedKey::of).toList();
        return inCurrent("lockKeys", s -> new KeyLocking(s.getMapper(KeyMapper.class)).lock(wants));
    }

    @Override
    public boolean replaceIfScheduled(KeyState found, MessageRow content) {
        Vendor vendor = vendor(current("replaceIfScheduled"), "replaceIfScheduled");
        return inCurrent("replaceIfScheduled", s -> {
            Packet.check(s.getMapper(EnqueueMapper.class), vendor, content.payload(), content.headers());
            return new KeyLocking(s.getMapper(KeyMapper.class)).replaceIfScheduled(found, content);
        });
    }

    @Override
    public void writeKeys(List<KeyWrite> keys) {
        inCurrent("writeKeys", s -> {
            new KeyLocking(s.getMapper(KeyMapper.class)).write(keys);
            return keys.size();
        });
    }

    @Override
    public void releaseKey(KeyClaim key) {
        inCurrent("releaseKey", s -> s.getMapper(KeyMapper.class).release(key));
    }

    @Override
    public void insert(List<MessageRow> messages) {
        List<NewRow> due = new ArrayList<>();
        List<NewRow> waiting = new ArrayList<>();
        messages.forEach(m -> (m.due().isNow() ? due : waiting).add(NewRow.of(m)));
        Connection current = current("insert");
        Vendor vendor = vendor(current, "insert");
        if (!waiting.isEmpty() || messages.stream().anyMatch(m -> Packet.isLarge(m.payload()))) {
            inCurrent("insert", s -> {
                EnqueueMapper mapper = s.getMapper(EnqueueMapper.class);
                messages.forEach(m -> Packet.check(mapper, vendor, m.payload(), m.headers()));
                pieces(waiting).forEach(mapper::insertScheduled);
                return messages.size();
            });
        }
        pieces(due).forEach(piece -> insertDue.run(current, piece));
    }

    @Override
    public Claim insertClaimed(MessageRow message, int owner) {
        Connection current = current("insertClaimed");
        Vendor vendor = vendor(current, "insertClaimed");
        if (Packet.isLarge(message.payload())) {
            inCurrent("insertClaimed", s -> {
                Packet.check(s.getMapper(EnqueueMapper.class), vendor, message.payload(), message.headers());
                return message;
            });
        }
        NewRow row = NewRow.of(message);
        DirectStatement.Binder binder = (to, name) -> {
            if (name.equals("owner")) {
                to.number(owner);
            } else {
                row.bind(to, name);
            }
        };
        return new Claim(
                message.queue(), message.lane(), insertClaimed.insert(current, binder), message.uid(), owner, 1);
    }

    private Vendor vendor(Connection connection, String verb) {
        try {
            return sessions.vendor(connection);
        } catch (SQLException e) {
            throw ExceptionTranslator.translate(verb, e);
        }
    }

    /** In order; each small enough for a statement, or a single row. */
    private static List<List<NewRow>> pieces(List<NewRow> rows) {
        List<List<NewRow>> pieces = new ArrayList<>();
        List<NewRow> piece = new ArrayList<>();
        long bytes = 0;
        for (NewRow row : rows) {
            if (!piece.isEmpty() && (piece.size() == ROWS || bytes + row.size() > BYTES)) {
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
        return sessions.on(current(what), what, work);
    }

    private Connection current(String what) {
        Connection current = transactions.current();
        if (current == null) {
            throw new QueueMisuseException(what + " needs a transaction on the calling thread, and none is open");
        }
        return current;
    }
}
