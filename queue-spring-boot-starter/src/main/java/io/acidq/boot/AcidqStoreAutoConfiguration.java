package io.acidq.boot;

import io.acidq.QueueMisuseException;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.spring.transaction.SpringTransactions;
import io.acidq.store.Store;
import io.acidq.store.Transactions;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.PlatformTransactionManager;

/** Auto-configuration of the store over the application's single or primary {@code DataSource}, including its schema. */
@AutoConfiguration(
        after = {
            DataSourceAutoConfiguration.class,
            DataSourceTransactionManagerAutoConfiguration.class,
            TransactionAutoConfiguration.class
        })
@ConditionalOnProperty(prefix = "acidq", name = "enabled", matchIfMissing = true)
@ConditionalOnSingleCandidate(DataSource.class)
@ConditionalOnMissingBean(Store.class)
@EnableConfigurationProperties(AcidqProperties.class)
class AcidqStoreAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    Transactions acidqTransactions(
            ObjectProvider<PlatformTransactionManager> managers, DataSource dataSource, AcidqProperties properties) {
        return new SpringTransactions(manager(managers), dataSource, properties.detectLostTransaction());
    }

    private static PlatformTransactionManager manager(ObjectProvider<PlatformTransactionManager> managers) {
        PlatformTransactionManager manager = managers.getIfUnique();
        if (manager != null) {
            return manager;
        }
        boolean isNone = managers.stream().findAny().isEmpty();
        throw QueueMisuseException.withAction(
                isNone
                        ? "AcidQ has a DataSource and no transaction manager: there is no PlatformTransactionManager bean, and a message"
                                + " is enqueued only in a transaction"
                        : "AcidQ does not know which of several PlatformTransactionManager beans is that of its DataSource",
                isNone
                        ? "define a JdbcTransactionManager (or that of JPA or JTA) for the DataSource, or do not exclude Boot's"
                        : "mark the one of the DataSource @Primary, or define a Transactions bean: new SpringTransactions(manager, dataSource)");
    }

    /** Created after Flyway, Liquibase and SQL scripts, because they can create the tables. */
    @Bean
    @DependsOnDatabaseInitialization
    Store acidqStore(DataSource dataSource, Transactions transactions, AcidqProperties properties) {
        DataSource own = withoutTransactions(dataSource);
        DriverOptions.check(own);
        SchemaInitialization.of(own, properties.initializeSchema());
        return MyBatisStore.over(own, transactions);
    }

    /** Unwraps transaction-aware proxies, because the store's short transactions must not join the caller's. */
    private static DataSource withoutTransactions(DataSource dataSource) {
        DataSource target =
                dataSource instanceof TransactionAwareDataSourceProxy proxy ? proxy.getTargetDataSource() : null;
        return target == null ? dataSource : withoutTransactions(target);
    }
}
