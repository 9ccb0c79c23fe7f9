package io.acidq.mybatis.session;

import io.acidq.QueueMisuseException;
import io.acidq.mybatis.session.TypeHandlers.RowHandler;
import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import javax.sql.DataSource;
import org.apache.ibatis.builder.xml.XMLMapperBuilder;
import org.apache.ibatis.datasource.unpooled.UnpooledDataSource;
import org.apache.ibatis.executor.Executor;
import org.apache.ibatis.executor.keygen.NoKeyGenerator;
import org.apache.ibatis.executor.statement.PreparedStatementHandler;
import org.apache.ibatis.executor.statement.StatementHandler;
import org.apache.ibatis.mapping.BoundSql;
import org.apache.ibatis.mapping.Environment;
import org.apache.ibatis.mapping.MappedStatement;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.ExecutorType;
import org.apache.ibatis.session.LocalCacheScope;
import org.apache.ibatis.session.ResultHandler;
import org.apache.ibatis.session.RowBounds;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.session.SqlSessionFactory;
import org.apache.ibatis.session.SqlSessionFactoryBuilder;
import org.apache.ibatis.transaction.Transaction;
import org.apache.ibatis.transaction.managed.ManagedTransaction;
import org.apache.ibatis.transaction.managed.ManagedTransactionFactory;
import org.jspecify.annotations.Nullable;

/**
 * Opens mapper sessions over connections that the caller owns. The MyBatis configuration is independent of the application's. It depends on the
 * vendor, which the first connection reports. Thread-safe.
 */
public final class MyBatisSessions {

    /**
     * Configurations are built once per process, because reading the mapper files takes a tenth of a second of CPU, and many threads may enqueue first
     * at the same time. A configuration does not depend on a DataSource.
     */
    private static final Map<Key, SqlSessionFactory> FACTORIES = new ConcurrentHashMap<>();

    private static final long MAX_ALLOWED_PACKET_VALID_NANOS =
            Duration.ofMinutes(10).toNanos();

    private final DataSource dataSource;
    private final List<RowHandler<?>> rowHandlers;
    private volatile List<String> mappers;
    private volatile @Nullable SqlSessionFactory factory;
    private volatile @Nullable Vendor vendor;
    private volatile boolean readCommittedByDefault;
    private volatile MaxAllowedPacket maxAllowedPacket = new MaxAllowedPacket(0, System.nanoTime());

    /**
     * Creates sessions for the given mappers.
     *
     * @param mappers the names of mapper files of this module, each after the files that it refers to
     */
    public MyBatisSessions(DataSource dataSource, List<String> mappers) {
        this(dataSource, mappers, List.of());
    }

    /**
     * Creates sessions for the given mappers.
     *
     * @param mappers the names of mapper files of this module, each after the files that it refers to
     * @param rows    readers of whole rows, for results that are read so often that the mapping of MyBatis is too slow
     */
    public MyBatisSessions(DataSource dataSource, List<String> mappers, List<RowHandler<?>> rows) {
        this.dataSource = dataSource;
        this.mappers = List.copyOf(mappers);
        this.rowHandlers = List.copyOf(rows);
    }

    /** Makes statements wait for locked rows instead of skipping them, for servers without SKIP LOCKED. */
    public void waitForLocks() {
        mappers = mappers.stream()
                .map(m -> m.equals("Locks.xml") ? "WaitingLocks.xml" : m)
                .toList();
        factory = null;
    }

    public DataSource dataSource() {
        return dataSource;
    }

    /** Runs statements on a connection without ending its transaction. */
    public <T extends @Nullable Object> T withSession(
            Connection connection, String what, Function<SqlSession, T> work) {
        try (SqlSession session = open(connection)) {
            return work.apply(session);
        } catch (RuntimeException | SQLException e) {
            throw ExceptionTranslator.translate(what, e, connection);
        }
    }

    /** Returns the vendor of the database, which the first connection reports. */
    public Vendor vendor(Connection connection) throws SQLException {
        Vendor known = vendor;
        if (known == null) {
            known = Vendor.of(connection);
            vendor = known;
        }
        return known;
    }

    /** Returns the vendor; if the connection fails, the exception names the verb. */
    public Vendor vendor(Connection connection, String verb) {
        try {
            return vendor(connection);
        } catch (SQLException e) {
            throw ExceptionTranslator.translate(verb, e);
        }
    }

    /** Whether the last connection that was asked had READ COMMITTED by default. If so, asking the next one saves a statement per transaction. */
    boolean isReadCommittedByDefault() {
        return readCommittedByDefault;
    }

    void setReadCommittedByDefault(boolean readCommitted) {
        readCommittedByDefault = readCommitted;
    }

    /** Returns the most bytes of a statement as a session has lately reported it, 0 if that is unknown. */
    public long maxAllowedPacket() {
        MaxAllowedPacket last = maxAllowedPacket;
        return System.nanoTime() - last.readAt < MAX_ALLOWED_PACKET_VALID_NANOS ? last.bytes : 0;
    }

    /** Records what a session has reported. A change of the global value applies to new sessions only. */
    public void setMaxAllowedPacket(long bytes) {
        maxAllowedPacket = new MaxAllowedPacket(bytes, System.nanoTime());
    }

    private record MaxAllowedPacket(long bytes, long readAt) {}

    /** Opens a session over a connection. Closing the session does not close the connection. */
    public SqlSession open(Connection connection) throws SQLException {
        return factory(connection).openSession(connection);
    }

    SqlSession openBatch(Connection connection) {
        try {
            return factory(connection).openSession(ExecutorType.BATCH, connection);
        } catch (SQLException e) {
            throw ExceptionTranslator.translate("batch", e);
        }
    }

    /** Returns the configuration, for code that reads the mapped statements. */
    public Configuration configuration(Connection connection) throws SQLException {
        return factory(connection).getConfiguration();
    }

    private SqlSessionFactory factory(Connection connection) throws SQLException {
        SqlSessionFactory built = factory;
        if (built == null) {
            built = factory(new Key(vendor(connection), mappers, rowHandlers));
            factory = built;
        }
        return built;
    }

    /** Returns the factory of a configuration. One thread builds it while others wait. */
    static SqlSessionFactory factory(Key key) {
        return FACTORIES.computeIfAbsent(key, MyBatisSessions::build);
    }

    private static SqlSessionFactory build(Key key) {
        Configuration configuration = new ExecuteUpdateConfiguration(
                new Environment("acidq", new BorrowedConnections(), new UnpooledDataSource()));
        configuration.setDatabaseId(key.vendor().databaseId());
        configuration.setLocalCacheScope(LocalCacheScope.STATEMENT);
        configuration.setCacheEnabled(false);
        configuration.setMapUnderscoreToCamelCase(true);
        useConstructorsByName(configuration);
        configuration.setCallSettersOnNulls(true);
        TypeHandlers.register(configuration);
        key.rowHandlers()
                .forEach(reader -> configuration.getTypeHandlerRegistry().register(reader));
        key.mappers().forEach(mapper -> read(mapper, configuration));
        return new SqlSessionFactoryBuilder().build(configuration);
    }

    /** Lets constructors get their arguments by name. Among the methods of MyBatis that the store calls, this is the newest. */
    private static void useConstructorsByName(Configuration configuration) {
        try {
            configuration.setArgNameBasedConstructorAutoMapping(true);
        } catch (NoSuchMethodError e) {
            throw new QueueMisuseException(
                    "queue-mybatis needs MyBatis 3.5.10 or later and found "
                            + Configuration.class.getPackage().getImplementationVersion()
                            + ": update org.mybatis:mybatis, or remove the older version from the class path",
                    e);
        }
    }

    private static void read(String mapper, Configuration into) {
        String resource = "/io/acidq/mybatis/" + mapper;
        try (InputStream xml = MyBatisSessions.class.getResourceAsStream(resource)) {
            if (xml == null) {
                throw new IllegalStateException("missing in the jar of queue-mybatis: " + resource);
            }
            new XMLMapperBuilder(xml, into, resource, into.getSqlFragments()).parse();
        } catch (IOException e) {
            throw new IllegalStateException("unreadable in the jar of queue-mybatis: " + resource, e);
        }
    }

    /** The values that distinguish configurations. */
    record Key(Vendor vendor, List<String> mappers, List<RowHandler<?>> rowHandlers) {}

    /** A factory of transactions that do not close the connection when their session is closed. */
    private static final class BorrowedConnections extends ManagedTransactionFactory {

        @Override
        public Transaction newTransaction(Connection connection) {
            return new ManagedTransaction(connection, false);
        }
    }

    /**
     * A configuration that runs changes with {@code executeUpdate}. MyBatis itself runs them with {@code execute}, before which Connector/J asks the
     * server whether the session is read-only: one more round trip for each acknowledgement (measured: 5.1 statements per message instead of 4.1).
     * Queries return all their rows, whatever limit the driver has been given.
     */
    private static final class ExecuteUpdateConfiguration extends Configuration {

        ExecuteUpdateConfiguration(Environment environment) {
            super(environment);
        }

        @Override
        @SuppressWarnings("rawtypes") // as in MyBatis
        public StatementHandler newStatementHandler(
                Executor executor,
                MappedStatement mapped,
                Object parameter,
                RowBounds rows,
                ResultHandler handler,
                BoundSql sql) {
            if (mapped.getKeyGenerator() instanceof NoKeyGenerator) {
                return new PreparedStatementHandler(executor, mapped, parameter, rows, handler, sql) {
                    @Override
                    protected Statement instantiateStatement(Connection connection) throws SQLException {
                        String text = boundSql.getSql();
                        String limited = ReadTimeLimit.limited(text, getDatabaseId());
                        return limited.equals(text)
                                ? super.instantiateStatement(connection)
                                : connection.prepareStatement(limited);
                    }

                    @Override
                    public <E> List<E> query(Statement statement, ResultHandler results) throws SQLException {
                        statement.setMaxRows(0); // the URL of Connector/J may limit the rows of each result
                        return super.query(statement, results);
                    }

                    @Override
                    public int update(Statement statement) throws SQLException {
                        return ((PreparedStatement) statement).executeUpdate();
                    }
                };
            }
            return super.newStatementHandler(executor, mapped, parameter, rows, handler, sql);
        }
    }
}
