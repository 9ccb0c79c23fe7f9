package io.acidq.mybatis.store;

import io.acidq.QueueMisuseException;
import io.acidq.mybatis.session.DirectStatement;
import io.acidq.mybatis.session.MyBatisSessions;
import io.acidq.mybatis.session.Vendor;
import io.acidq.mybatis.store.EnqueueMapper.InsertRow;
import io.acidq.mybatis.store.KeyMapper.KeyRow;
import io.acidq.store.Claim;
import io.acidq.store.EnqueueStore;
import io.acidq.store.EnqueueStore.MessageRow;
import io.acidq.store.Transactions;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.ibatis.session.SqlSession;

/** Takes message keys and inserts messages in the transaction on the calling thread. */
public final class MyBatisEnqueueStore implements EnqueueStore {

    private static final int ROWS_PER_STATEMENT = 500;

    /** The bytes of payloads in one statement. Each byte may need two in the text, which fits into the packet of every server. */
    private static final long BYTES_PER_STATEMENT = 1 << 18;

    /** A payload up to this size fits into the packet of every server and is not checked. */
    private static final int MAX_UNCHECKED_BYTES = 1 << 19;

    /** The rest of the statement, with keys and names. */
    private static final int STATEMENT_OVERHEAD = 8 * 1024;

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
        Connection current = transactions.requireCurrent("takeKey");
        KeyRow want = KeyRow.of(key);
        MessageKeyTable.QuickTake.Answer quick = quickTake.take(current, sessions.vendor(current, "takeKey"), want);
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
        Vendor vendor = sessions.vendor(transactions.requireCurrent("replaceIfScheduled"), "replaceIfScheduled");
        return inCurrent("replaceIfScheduled", s -> {
            checkPacketSize(s.getMapper(EnqueueMapper.class), vendor, content);
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
        Connection current = transactions.requireCurrent("insert");
        Vendor vendor = sessions.vendor(current, "insert");
        if (!waiting.isEmpty() || messages.stream().anyMatch(m -> isLarge(m.payload()))) {
            inCurrent("insert", s -> {
                EnqueueMapper mapper = s.getMapper(EnqueueMapper.class);
                messages.forEach(m -> checkPacketSize(mapper, vendor, m));
                chunks(waiting).forEach(mapper::insertScheduled);
                return messages.size();
            });
        }
        chunks(due).forEach(chunk -> insertDue.update(current, chunk));
    }

    @Override
    public Claim insertClaimed(MessageRow message, int owner) {
        Connection current = transactions.requireCurrent("insertClaimed");
        Vendor vendor = sessions.vendor(current, "insertClaimed");
        if (isLarge(message.payload())) {
            inCurrent("insertClaimed", s -> {
                checkPacketSize(s.getMapper(EnqueueMapper.class), vendor, message);
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

    private static boolean isLarge(byte[] payload) {
        return payload.length > MAX_UNCHECKED_BYTES;
    }

    /**
     * Refuses a payload whose statement is larger than the server takes: some drivers send the beginning of it and lose the transaction.
     *
     * @param vendor on MySQL each byte is sent as two hexadecimal digits, by Connector/J as by AcidQ
     */
    private static void checkPacketSize(EnqueueMapper mapper, Vendor vendor, MessageRow row) {
        byte[] payload = row.payload();
        if (!isLarge(payload)) {
            return;
        }
        long limit = mapper.maxAllowedPacket();
        int extra = vendor == Vendor.MYSQL ? payload.length : escapes(payload);
        long needed = (long) payload.length + extra + 2L * row.headers().length() + STATEMENT_OVERHEAD;
        if (needed > limit) {
            throw new QueueMisuseException(
                    "a payload of " + payload.length + " bytes takes a statement of about " + needed
                            + " bytes, and the server's max_allowed_packet is " + limit
                            + ": store it elsewhere and enqueue a reference, or raise max_allowed_packet");
        }
    }

    /** Counts the bytes that are sent as two. */
    private static int escapes(byte[] payload) {
        int escapes = 0;
        for (byte b : payload) {
            if (b == 0 || b == '\n' || b == '\r' || b == 26 || b == '"' || b == '\'' || b == '\\') {
                escapes++;
            }
        }
        return escapes;
    }

    private static MessageKeyTable keys(SqlSession session) {
        return new MessageKeyTable(session.getMapper(KeyMapper.class));
    }

    /** Splits rows, in their order, into lists that fit into one statement. A large row is a list of its own. */
    private static List<List<InsertRow>> chunks(List<InsertRow> rows) {
        List<List<InsertRow>> chunks = new ArrayList<>();
        List<InsertRow> chunk = new ArrayList<>();
        long bytes = 0;
        for (InsertRow row : rows) {
            if (!chunk.isEmpty() && (chunk.size() == ROWS_PER_STATEMENT || bytes + row.size() > BYTES_PER_STATEMENT)) {
                chunks.add(chunk);
                chunk = new ArrayList<>();
                bytes = 0;
            }
            chunk.add(row);
            bytes += row.size();
        }
        if (!chunk.isEmpty()) {
            chunks.add(chunk);
        }
        return chunks;
    }

    private <T> T inCurrent(String what, Function<SqlSession, T> work) {
        return sessions.withSession(transactions.requireCurrent(what), what, work);
    }
}
