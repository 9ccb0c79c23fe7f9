package io.acidq.boot;

import io.acidq.spring.transaction.SpringTransactions;
import io.acidq.store.Store;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.jdbc.metadata.CompositeDataSourcePoolMetadataProvider;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadata;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;

/** How many connections an engine's pool lends at most, for whichever pools Boot knows. */
final class EnginePools {

    private final ObjectProvider<DataSource> dataSource;
    private final ObjectProvider<DataSourcePoolMetadataProvider> pools;

    EnginePools(ObjectProvider<DataSource> dataSource, ObjectProvider<DataSourcePoolMetadataProvider> pools) {
        this.dataSource = dataSource;
        this.pools = pools;
    }

    /** Of the pool behind a store. */
    Optional<Integer> size(Store store) {
        return store.transactions() instanceof SpringTransactions transactions
                ? size(transactions.dataSource())
                : main();
    }

    /** Of the application's one (or primary) {@code DataSource}. */
    Optional<Integer> main() {
        return size(dataSource.getIfUnique());
    }

    private Optional<Integer> size(@Nullable DataSource of) {
        if (of == null) {
            return Optional.empty();
        }
        DataSourcePoolMetadata pool = new CompositeDataSourcePoolMetadataProvider(
                        pools.orderedStream().toList())
                .getDataSourcePoolMetadata(of);
        return Optional.ofNullable(pool == null ? null : pool.getMax()).filter(most -> most > 0);
    }
}
