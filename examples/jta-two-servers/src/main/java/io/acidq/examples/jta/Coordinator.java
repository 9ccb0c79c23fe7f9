package io.acidq.examples.jta;

import com.arjuna.ats.arjuna.common.CoreEnvironmentBean;
import com.arjuna.ats.arjuna.common.CoreEnvironmentBeanException;
import com.arjuna.ats.arjuna.common.ObjectStoreEnvironmentBean;
import com.arjuna.ats.arjuna.common.RecoveryEnvironmentBean;
import com.arjuna.ats.arjuna.recovery.RecoveryManager;
import com.arjuna.ats.internal.arjuna.recovery.AtomicActionRecoveryModule;
import com.arjuna.ats.internal.jta.recovery.arjunacore.JTAActionStatusServiceXAResourceOrphanFilter;
import com.arjuna.ats.internal.jta.recovery.arjunacore.JTANodeNameXAResourceOrphanFilter;
import com.arjuna.ats.internal.jta.recovery.arjunacore.JTATransactionLogXAResourceOrphanFilter;
import com.arjuna.ats.internal.jta.recovery.arjunacore.XARecoveryModule;
import com.arjuna.ats.internal.jta.transaction.arjunacore.TransactionSynchronizationRegistryImple;
import com.arjuna.ats.jta.TransactionManager;
import com.arjuna.ats.jta.UserTransaction;
import com.arjuna.ats.jta.common.JTAEnvironmentBean;
import com.arjuna.common.internal.util.propertyservice.BeanPopulator;
import com.mysql.cj.jdbc.MysqlXAConnection;
import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.AgroalConnectionFactoryConfiguration.TransactionIsolation;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.agroal.api.security.NamePrincipal;
import io.agroal.api.security.SimplePassword;
import io.agroal.narayana.NarayanaTransactionIntegration;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.springframework.transaction.jta.JtaTransactionManager;

/** The transaction manager of the process, with its log and its recovery. One a process: Narayana's settings are the JVM's. */
final class Coordinator implements AutoCloseable {

    private static final int POOL = 12;

    private final RecoveryManager recovery;
    private final JtaTransactionManager transactions;

    /**
     * Starts it, and the recovery of what an earlier process with this log and this name has left.
     *
     * @param log  a folder that outlives the process
     * @param node a name that no other process uses which reaches the same servers
     */
    Coordinator(Path log, String node, Server... servers) throws CoreEnvironmentBeanException {
        // snippet:coordinator
        BeanPopulator.getDefaultInstance(CoreEnvironmentBean.class).setNodeIdentifier(node);
        for (String store : List.of("", "communicationStore", "stateStore")) {
            (store.isEmpty()
                            ? BeanPopulator.getDefaultInstance(ObjectStoreEnvironmentBean.class)
                            : BeanPopulator.getNamedInstance(ObjectStoreEnvironmentBean.class, store))
                    .setObjectStoreDir(log.toString()); // the decision to commit is written here: keep the folder
        }
        JTAEnvironmentBean jta = BeanPopulator.getDefaultInstance(JTAEnvironmentBean.class);
        jta.setXaRecoveryNodes(List.of(node)); // never end the branches of another process
        // To Connector/J two servers of one host, or of one port, are one: recovery would ask the wrong one to commit.
        jta.setXaResourceIsSameRMClassNames(List.of(MysqlXAConnection.class.getName()));
        jta.setXaResourceOrphanFilterClassNames(List.of(
                JTATransactionLogXAResourceOrphanFilter.class.getName(),
                JTAActionStatusServiceXAResourceOrphanFilter.class.getName(), // nor those that still prepare
                JTANodeNameXAResourceOrphanFilter.class.getName()));
        jta.setOrphanSafetyInterval(5_000); // milliseconds, until a branch without a decision is rolled back
        RecoveryEnvironmentBean settings = BeanPopulator.getDefaultInstance(RecoveryEnvironmentBean.class);
        settings.setRecoveryModuleClassNames(
                List.of(AtomicActionRecoveryModule.class.getName(), XARecoveryModule.class.getName()));
        settings.setPeriodicRecoveryPeriod(2); // seconds: an in-doubt branch holds its locks until then
        settings.setRecoveryBackoffPeriod(1);
        settings.setPeriodicRecoveryInitilizationOffset(1);
        // /snippet
        // snippet:recovery
        recovery = RecoveryManager.manager(RecoveryManager.INDIRECT_MANAGEMENT);
        recovery.initialize();
        Recovery.of(recovery, servers);
        recovery.startRecoveryManagerThread();
        transactions =
                new JtaTransactionManager(UserTransaction.userTransaction(), TransactionManager.transactionManager());
        transactions.setAllowCustomIsolationLevels(true); // the pool sets READ COMMITTED, which the engine asks for
        transactions.afterPropertiesSet();
        // /snippet
    }

    JtaTransactionManager transactions() {
        return transactions;
    }

    /** A pool whose connections take part in the transactions of this manager. */
    AgroalDataSource enlisted(Server server) throws SQLException {
        // snippet:enlisted
        return AgroalDataSource.from(new AgroalDataSourceConfigurationSupplier()
                .connectionPoolConfiguration(pool -> pool.maxSize(POOL)
                        .transactionIntegration(new NarayanaTransactionIntegration(
                                TransactionManager.transactionManager(), new TransactionSynchronizationRegistryImple()))
                        .connectionFactoryConfiguration(connections -> connections
                                .connectionProviderClass(server.driver())
                                .jdbcUrl(server.url())
                                .jdbcTransactionIsolation(TransactionIsolation.READ_COMMITTED)
                                .principal(new NamePrincipal(server.user()))
                                .credential(new SimplePassword(server.password())))));
        // /snippet
    }

    @Override
    public void close() {
        recovery.terminate();
    }
}
