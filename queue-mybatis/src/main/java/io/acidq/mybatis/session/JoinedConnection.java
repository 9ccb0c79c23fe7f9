package io.acidq.mybatis.session;

import io.acidq.store.Transactions;
import java.util.function.Function;
import org.apache.ibatis.session.SqlSession;

/** The heartbeat's statements on the connection of the transaction on the calling thread. */
public final class JoinedConnection extends NodeConnection {

    private final Sessions sessions;
    private final Transactions transactions;

    public JoinedConnection(Sessions sessions, Transactions transactions) {
        super(sessions);
        this.sessions = sessions;
        this.transactions = transactions;
    }

    @Override
    public <T> T run(String what, Function<SqlSession, T> statement) {
        return sessions.on(JoinedTransactions.current(transactions, what), what, statement);
    }
}
