package io.acidq.benchmarks.candidate.peer;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerBuilder;
import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.jdbc.AutodetectJdbcCustomization;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import io.acidq.benchmarks.candidate.BenchmarkMessage;
import io.acidq.benchmarks.candidate.BenchmarkTables;
import io.acidq.benchmarks.candidate.Candidate;
import io.acidq.benchmarks.candidate.CandidateAdapter;
import io.acidq.benchmarks.candidate.CandidateAdapter.SendBatch;
import io.acidq.benchmarks.candidate.CandidateDatabase;
import io.acidq.benchmarks.candidate.CandidateDatabase.Vendor;
import io.acidq.benchmarks.candidate.Capability;
import io.acidq.benchmarks.candidate.HandlerWork;
import io.acidq.benchmarks.candidate.SpringBasedApplication;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.function.LongConsumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;

/**
 * One-time tasks of db-scheduler. The handler has no transaction. The task's row is deleted afterwards, in a transaction of its own.
 *
 * <ul>
 *   <li>On MySQL it uses the polling strategy lock-and-fetch, which is faster but not available on MariaDB. With the limits 4.0 and 20.0 its
 *       docs report the highest rate for a similar number of threads (docs/performance.md, "Benchmark", 20 threads).
 *   <li>Scheduling joins the caller's transaction by {@link TransactionAwareDataSourceProxy}. After the commit,
 *       {@code triggerCheckForDueExecutions} wakes the scheduler. The README recommends both ("Things to note / gotchas").
 *   <li>Timestamps are in UTC, as it recommends for these servers (release notes of 14.0.0).
 *   <li>The table is that of its repository (mysql_tables.sql), without the index of a disabled feature (priority) and with a wider data
 *       column, so that large payloads fit.
 * </ul>
 */
public final class DbScheduler {

    private static final Duration POLL = Duration.ofMillis(100);
    private static final double LOWER_LIMIT = 4.0;
    private static final double UPPER_LIMIT = 20.0;
    private static final String TABLE = "CREATE TABLE IF NOT EXISTS scheduled_tasks ("
            + "task_name VARCHAR(100) NOT NULL, task_instance VARCHAR(100) NOT NULL, task_data MEDIUMBLOB,"
            + " execution_time TIMESTAMP(6) NOT NULL, picked BOOLEAN NOT NULL, picked_by VARCHAR(50),"
            + " last_success TIMESTAMP(6) NULL, last_failure TIMESTAMP(6) NULL, consecutive_failures INT,"
            + " last_heartbeat TIMESTAMP(6) NULL, version BIGINT NOT NULL, priority SMALLINT,"
            + " PRIMARY KEY (task_name, task_instance), INDEX execution_time_idx (execution_time),"
            + " INDEX last_heartbeat_idx (last_heartbeat))";

    private DbScheduler() {}

    public static Candidate candidate() {
        return Candidate.peer(
                "db-scheduler",
                false,
                EnumSet.of(
                        Capability.BACKLOG,
                        Capability.SENDING,
                        Capability.LIVE,
                        Capability.OTHER_PROCESS,
                        Capability.BULK),
                "scheduled_tasks",
                DbSchedulerAdapter::new);
    }

    private static final class DbSchedulerAdapter implements CandidateAdapter {

        private final Vendor vendor;
        private final SpringBasedApplication spring;
        private final DataSource aware;
        private final SchedulerClient client;
        private volatile @Nullable Scheduler scheduler;

        DbSchedulerAdapter(CandidateDatabase database) throws SQLException {
            vendor = database.vendor();
            spring = SpringBasedApplication.withAutoCommit(database);
            spring.execute(TABLE);
            aware = new TransactionAwareDataSourceProxy(spring.pool());
            client = SchedulerClient.Builder.create(aware)
                    .jdbcCustomization(new AutodetectJdbcCustomization(aware, true))
                    .build();
        }

        @Override
        public void send(SendBatch sendBatch) throws Exception {
            spring.send(sendBatch, this::schedule);
            Scheduler running = scheduler;
            if (running != null) {
                running.triggerCheckForDueExecutions();
            }
        }

        private void schedule(List<BenchmarkMessage> messages) {
            Instant now = Instant.now();
            if (messages.size() == 1) {
                client.scheduleIfNotExists(instance(messages.get(0)), now);
            } else {
                List<TaskInstance<?>> all = messages.stream()
                        .<TaskInstance<?>>map(DbSchedulerAdapter::instance)
                        .toList();
                client.scheduleBatch(all, now);
            }
        }

        private static TaskInstance<String> instance(BenchmarkMessage message) {
            return new TaskInstance<>("letter", Long.toString(message.id()), message.text());
        }

        @Override
        public void start(int workers, HandlerWork handlerWork) {
            OneTimeTask<String> task = Tasks.oneTime("letter", String.class).execute((instance, context) -> {
                try {
                    handlerWork.run(instance.getData());
                } catch (Exception e) {
                    throw new IllegalStateException("the handler failed", e);
                }
            });
            SchedulerBuilder builder = Scheduler.create(aware, task)
                    .threads(workers)
                    .pollingInterval(POLL)
                    .alwaysPersistTimestampInUTC();
            if (vendor == Vendor.MYSQL) {
                builder.pollUsingLockAndFetch(LOWER_LIMIT, UPPER_LIMIT);
            } else {
                builder.pollUsingFetch(LOWER_LIMIT, UPPER_LIMIT);
            }
            Scheduler started = builder.build();
            started.start();
            scheduler = started;
        }

        @Override
        public void stop() {
            close();
        }

        @Override
        public void forEachRemaining(LongConsumer ids) throws SQLException {
            BenchmarkTables.forEachId(spring.pool(), "task_instance", "scheduled_tasks", ids);
        }

        @Override
        public void close() {
            Scheduler running = scheduler;
            scheduler = null;
            if (running != null) {
                running.stop();
            }
        }
    }
}
