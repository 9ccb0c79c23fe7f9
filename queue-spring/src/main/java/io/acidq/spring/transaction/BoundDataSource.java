package io.acidq.spring.transaction;

import io.acidq.QueueMisuseException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanWrapper;
import org.springframework.beans.BeanWrapperImpl;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.ResourceTransactionManager;

/** Finds the {@code DataSource} under which a transaction manager binds the connections of its transactions. */
final class BoundDataSource {

    private BoundDataSource() {}

    static DataSource of(PlatformTransactionManager manager, DataSource dataSource) {
        BeanWrapper properties = new BeanWrapperImpl(manager);
        if (!properties.isReadableProperty("dataSource")) {
            if (manager instanceof ResourceTransactionManager) {
                throw new QueueMisuseException(
                        "the transaction manager (" + manager.getClass().getName()
                                + ") is of something else than a DataSource: give the queue the one of its database");
            }
            return withoutTransactionProxy(dataSource); // JTA: connections join by themselves
        }
        DataSource managed = (DataSource) properties.getPropertyValue("dataSource");
        if (managed == null || innermost(managed) != innermost(dataSource)) {
            throw new QueueMisuseException(
                    "the transaction manager (" + manager.getClass().getName() + ") begins transactions on "
                            + (managed == null ? "no DataSource" : "the DataSource " + managed) + ", the queue uses "
                            + dataSource
                            + ": give both the same DataSource, else a message would not commit with the data");
        }
        return managed;
    }

    private static DataSource withoutTransactionProxy(DataSource dataSource) {
        DataSource target =
                dataSource instanceof TransactionAwareDataSourceProxy proxy ? proxy.getTargetDataSource() : null;
        return target == null ? dataSource : withoutTransactionProxy(target);
    }

    private static DataSource innermost(DataSource dataSource) {
        @Nullable
        DataSource target = dataSource instanceof DelegatingDataSource proxy ? proxy.getTargetDataSource() : null;
        return target == null ? dataSource : innermost(target);
    }
}
