package io.acidq.mybatis.session;

import java.sql.Connection;
import java.sql.Statement;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.ibatis.session.SqlSession;

/** A short transaction of the store while it runs. */
public final class StoreTransaction {

    private final SqlSession session;
    private final Supplier<SqlSession> batches;
    private boolean rollbackOnly;

    StoreTransaction(SqlSession session, Supplier<SqlSession> batches) {
        this.session = session;
        this.batches = batches;
    }

    public <M> M mapper(Class<M> type) {
        return session.getMapper(type);
    }

    /** Returns the connection, of which the work may only read metadata. */
    public Connection connection() {
        return session.getConnection();
    }

    /** Whether the mapper has the statement for this vendor. */
    public boolean hasStatement(Class<?> mapper, String statement) {
        return session.getConfiguration().hasStatement(mapper.getName() + "." + statement);
    }

    /**
     * Sends many one-row statements as a batch, after all of them have been called.
     *
     * @return the number of changed rows; a statement without an update count from the driver counts as one row
     */
    public <M> int batch(Class<M> type, Consumer<M> statements) {
        try (SqlSession batch = batches.get()) {
            statements.accept(batch.getMapper(type));
            return batch.flushStatements().stream()
                    .flatMapToInt(result -> IntStream.of(result.getUpdateCounts()))
                    .map(count -> count == Statement.SUCCESS_NO_INFO ? 1 : count)
                    .sum();
        }
    }

    /** Makes the transaction end with a rollback, whatever the work returns. */
    public void setRollbackOnly() {
        rollbackOnly = true;
    }

    boolean isRollbackOnly() {
        return rollbackOnly;
    }
}
