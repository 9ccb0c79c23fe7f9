package io.acidq.boot;

import io.acidq.spring.WorkerThreads;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnThreading;
import org.springframework.boot.jdbc.metadata.CompositeDataSourcePoolMetadataProvider;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadata;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;
import org.springframework.boot.thread.Threading;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.VirtualThreadTaskExecutor;

/** Workers on virtual threads, with {@code spring.threads.virtual.enabled} on Java 21 and later, as everywhere in Boot. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnThreading(Threading.VIRTUAL)
class VirtualThreads {

    @Bean
    @ConditionalOnMissingBean
    WorkerThreads acidqWorkerThreads(
            ObjectProvider<DataSource> dataSource, ObjectProvider<DataSourcePoolMetadataProvider> pools) {
        return new WorkerThreads(
                new VirtualThreadTaskExecutor().getVirtualThreadFactory(), connections(dataSource, pools));
    }

    private static @Nullable Integer connections(
            ObjectProvider<DataSource> dataSource, ObjectProvider<DataSourcePoolMetadataProvider> pools) {
        DataSource main = dataSource.getIfUnique();
        DataSourcePoolMetadata pool = main == null
                ? null
                : new CompositeDataSourcePoolMetadataProvider(
                                pools.orderedStream().toList())
                        .getDataSourcePoolMetadata(main);
        return pool == null ? null : pool.getMax();
    }
}
