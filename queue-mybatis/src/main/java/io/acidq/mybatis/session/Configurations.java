package io.acidq.mybatis.session;

import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.ibatis.builder.xml.XMLMapperBuilder;
import org.apache.ibatis.datasource.unpooled.UnpooledDataSource;
import org.apache.ibatis.mapping.Environment;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.LocalCacheScope;
import org.apache.ibatis.session.SqlSessionFactory;
import org.apache.ibatis.session.SqlSessionFactoryBuilder;
import org.apache.ibatis.transaction.Transaction;
import org.apache.ibatis.transaction.managed.ManagedTransaction;
import org.apache.ibatis.transaction.managed.ManagedTransactionFactory;
import org.apache.ibatis.type.JdbcType;

/**
 * The configurations of MyBatis, each built once in a process: reading the mapper files takes a tenth of a second of CPU, which all of the threads that enqueue
 * first would spend at once. They belong to no DataSource: sessions are opened on connections.
 */
final class Configurations {

    private static final Map<Key, SqlSessionFactory> BUILT = new ConcurrentHashMap<>();

    private Configurations() {}

    /**
     * What they differ in.
     *
     * @param mappers names of the mapper files beside this module's resources, in the order they refer to each other
     * @param rows    readers of whole rows
     */
    record Key(Vendor vendor, List<String> mappers, List<RowHandler<?>> rows) {}

    /** Others wait while one thread builds. */
    static SqlSessionFactory of(Key key) {
        return BUILT.computeIfAbsent(key, Configurations::build);
    }

    private static SqlSessionFactory build(Key key) {
        Configuration configuration =
                new PlainUpdates(new Environment("acidq", new BorrowedConnections(), new UnpooledDataSource()));
        configuration.setDatabaseId(key.vendor().databaseId());
        configuration.setLocalCacheScope(LocalCacheScope.STATEMENT);
        configuration.setCacheEnabled(false);
        configuration.setMapUnderscoreToCamelCase(true);
        configuration.setArgNameBasedConstructorAutoMapping(true);
        configuration.setCallSettersOnNulls(true);
        configuration.getTypeHandlerRegistry().register(UUID.class, new UuidHandler());
        configuration.getTypeHandlerRegistry().register(Instant.class, new UtcInstantHandler());
        configuration.getTypeHandlerRegistry().register(String.class, JdbcType.VARBINARY, new Utf8Handler());
        key.rows().forEach(reader -> configuration.getTypeHandlerRegistry().register(reader));
        key.mappers().forEach(mapper -> read(mapper, configuration));
        return new SqlSessionFactoryBuilder().build(configuration);
    }

    private static void read(String mapper, Configuration into) {
        String resource = "/io/acidq/mybatis/" + mapper;
        try (InputStream xml = Configurations.class.getResourceAsStream(resource)) {
            if (xml == null) {
                throw new IllegalStateException("missing in the jar of queue-mybatis: " + resource);
            }
            new XMLMapperBuilder(xml, into, resource, into.getSqlFragments()).parse();
        } catch (IOException e) {
            throw new IllegalStateException("unreadable in the jar of queue-mybatis: " + resource, e);
        }
    }

    /** Closing a session must not close the connection: it is not the session's. */
    private static final class BorrowedConnections extends ManagedTransactionFactory {

        @Override
        public Transaction newTransaction(Connection connection) {
            return new ManagedTransaction(connection, false);
        }
    }
}
