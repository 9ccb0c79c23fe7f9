package io.acidq.mybatis.session;

import io.acidq.mybatis.session.TypeHandlers.RowHandler;
import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import javax.sql.DataSource;
import org.apache.ibatis.builder.xml.XMLMapperBuilder;
import org.apache.ibatis.datasource.unpooled.UnpooledDataSource;
import org.apache.ibatis.mapping.Environment;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.ExecutorType;
import org.apache.ibatis.session.LocalCacheScope;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.session.SqlSessionFactory;
import org.apache.ibatis.session.SqlSessionFactoryBuilder;
import org.apache.ibatis.transaction.Transaction;
import org.apache.ibatis.transaction.managed.ManagedTransaction;
import org.apache.ibatis.transaction.managed.ManagedTransactionFactory;
import org.jspecify.annotations.Nullable;

/**
 * Mapper sessions over connections that the caller opens and ends. The MyBatis configuration knows nothing of the application's; it is
 * chosen when the first connection tells its vendor. Thread-safe.
 */
public final class MyBatisSessions {

    /**
     * Each configuration is built once in a process: reading the mapper files takes a tenth of a second of CPU, which all of the threads that enqueue
     * first would spend at once. A configuration belongs to no DataSource.
     */
    private static final Map<Key, SqlSessionFactory> FACTORIES = new ConcurrentHashMap<>();

    private final DataSource dataSource;
    private final List<RowHandler<?>> rowHandlers;
    private volatile List<String> mappers;
    private volatile @Nullable SqlSessionFactory factory;
    private volatile @Nullable Vendor vendor;
    private volatile boolean readCommittedByDefault;

    /**
     * Sessions of some mappers.
     *
     * @param mappers names of the mapper files beside this module's resources, in the order they refer to each other
     */
    public MyBatisSessions(DataSource dataSource, List<String> mappers) {
        this(dataSource, mappers, List.of());
    }

    /**
     * Sessions of some mappers.
     *
     * @param mappers names of the mapper files beside this module's resources, in the order they refer to each other
     * @param rows    readers of whole rows, for results that are read too often for MyBatis' own way
     */
    public MyBatisSessions(DataSource dataSource, List<String> mappers, List<RowHandler<?>> rows) {
        this.dataSource = dataSource;
        this.mappers = List.copyOf(mappers);
        this.rowHandlers = List.copyOf(rows);
    }

    /** From now on statements wait for locked rows instead of skipping them: for servers that do not know SKIP LOCKED. */
    public void waitForLocks() {
        mappers = mappers.stream()
                .map(m -> m.equals("Locks.xml") ? "WaitingLocks.xml" : m)
                .toList();
        factory = null;
    }

    public DataSource dataSource() {
        return dataSource;
    }

    /** Runs statements on a connection, without ending its transaction. */
    public <T extends @Nullable Object> T withSession(
            Connection connection, String what, Function<SqlSession, T> work) {
        try (SqlSession session = open(connection)) {
            return work.apply(session);
        } catch (RuntimeException | SQLException e) {
            throw ExceptionTranslator.translate(what, e, connection);
        }
    }

    /** The vendor of the database, which the first connection tells. */
    public Vendor vendor(Connection connection) throws SQLException {
        Vendor known = vendor;
        if (known == null) {
            known = Vendor.of(connection);
            vendor = known;
        }
        return known;
    }

    /** Whether the last connection that was asked came at READ COMMITTED: then it pays to ask the next one first. */
    boolean isReadCommittedByDefault() {
        return readCommittedByDefault;
    }

    void setReadCommittedByDefault(boolean came) {
        readCommittedByDefault = came;
    }

    /** A session over a connection; closing it leaves the connection as it is. */
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

    /** The configuration, for code that looks at the statements. */
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

    /** The factory of a configuration. One thread builds it while others wait. */
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
        configuration.setArgNameBasedConstructorAutoMapping(true);
        configuration.setCallSettersOnNulls(true);
        TypeHandlers.register(configuration);
        key.rowHandlers()
                .forEach(reader -> configuration.getTypeHandlerRegistry().register(reader));
        key.mappers().forEach(mapper -> read(mapper, configuration));
        return new SqlSessionFactoryBuilder().build(configuration);
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

    /** What distinguishes one configuration from another; the components are those of the constructor. */
    record Key(Vendor vendor, List<String> mappers, List<RowHandler<?>> rowHandlers) {}

    /** Closing a session must not close the connection: it is not the session's. */
    private static final class BorrowedConnections extends ManagedTransactionFactory {

        @Override
        public Transaction newTransaction(Connection connection) {
            return new ManagedTransaction(connection, false);
        }
    }
}
