package io.acidq.benchmarks.candidate.dbscheduler;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerBuilder;
import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.jdbc.AutodetectJdbcCustomization;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import io.acidq.benchmarks.candidate.Backlog;
import io.acidq.benchmarks.candidate.BenchmarkMessage;
import io.acidq.benchmarks.candidate.Candidate;
import io.acidq.benchmarks.candidate.CandidateAdapter;
import io.acidq.benchmarks.candidate.CandidateDatabase;
import io.acidq.benchmarks.candidate.Capability;
import io.acidq.benchmarks.candidate.HandlerWork;
import io.acidq.benchmarks.candidate.MessageRows;
import io.acidq.benchmarks.candidate.Peer;
import io.acidq.benchmarks.candidate.SendBatch;
import io.acidq.benchmarks.candidate.SpringBasedApplication;
import io.acidq.benchmarks.candidate.Vendor;
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
 * One-time tasks of db-scheduler. The handler has no transaction; the task's row is deleted in another one afterwards.
 *
 * <ul>
 *   <li>On MySQL the polling strategy lock-and-fetch, the faster one, which is not available on MariaDB; the limits 4.0 and 20.0 are
 *       those with which its docs report the highest rate for about as many threads (docs/performance.md, "Benchmark", 20 threads).
 *   <li>The schedule joins the caller's transaction by {@link TransactionAwareDataSourceProxy}, and after the commit the scheduler is told
 *       to look ({@code triggerCheckForDueExecutions}), both as its README says ("Things to note / gotchas").
 *   <li>Timestamps in UTC, as it advises for these servers (release notes of 14.0.0).
 *   <li>The table is that of its repository (mysql_tables.sql), without the index of a feature that is off (priority), and with a wider
 *       column for the data, so that large payloads fit.
 * </ul>
 */
public final class DbScheduler {

    private static final Duration POLL = Duration.ofMillis(100);
    private static final double FETCH_BELOW = 4.0;
    private static final double FETCH_UP_TO = 20.0;
    private static final int AT_ONCE = 1000;
    private static final String TABLE = "CREATE TABLE IF NOT EXISTS scheduled_tasks ("
            + "task_name VARCHAR(100) NOT NULL, task_instance VARCHAR(100) NOT NULL, task_data MEDIUMBLOB,"
            + " execution_time TIMESTAMP(6) NOT NULL, picked BOOLEAN NOT NULL, picked_by VARCHAR(50),"
            + " last_success TIMESTAMP(6) NULL, last_failure TIMESTAMP(6) NULL, consecutive_failures INT,"
            + " last_heartbeat TIMESTAMP(6) NULL, version BIGINT NOT NULL, priority SMALLINT,"
            + " PRIMARY KEY (task_name, task_instance), INDEX execution_time_idx (execution_time),"
            + " INDEX last_heartbeat_idx (last_heartbeat))";

    private DbScheduler() {}

    public static Candidate candidate() {
        return new Peer(
                "db-scheduler",
                false,
                EnumSet.of(
                        Capability.BACKLOG,
                        Capability.SENDING,
                        Capability.LIVE,
                        Capability.OTHER_PROCESS,
                        Capability.BULK),
                List.of("scheduled_tasks"),
                DbSchedulerAdapter::new);
    }

    private static final class DbSchedulerAdapter implements CandidateAdapter {

        private final Vendor vendor;
        private final SpringBasedApplication spring;
        private final DataSource aware;
        private final SchedulerClient client;
        private volatile @Nullable Scheduler scheduler;

        DbSchedulerAdapter(CandidateDatabase candidateDatabase) throws SQLException {
            vendor = candidateDatabase.vendor();
            spring = SpringBasedApplication.withAutoCommit(candidateDatabase);
            spring.execute(TABLE);
            aware = new TransactionAwareDataSourceProxy(spring.pool());
            client = SchedulerClient.Builder.create(aware)
                    .jdbcCustomization(new AutodetectJdbcCustomization(aware, true))
                    .build();
        }

        @Override
        public void send(SendBatch sendBatch) throws Exception {
            spring.place(sendBatch, this::schedule);
            Scheduler running = scheduler;
            if (running != null) {
                running.triggerCheckForDueExecutions();
            }
        }

        private void schedule(List<BenchmarkMessage> benchmarkMessages) {
            Instant now = Instant.now();
            if (benchmarkMessages.size() == 1) {
                client.scheduleIfNotExists(instance(benchmarkMessages.get(0)), now);
            } else {
                List<TaskInstance<?>> all = benchmarkMessages.stream()
                        .<TaskInstance<?>>map(DbSchedulerAdapter::instance)
                        .toList();
                client.scheduleBatch(all, now);
            }
        }

        private static TaskInstance<String> instance(BenchmarkMessage benchmarkMessage) {
            return new TaskInstance<>("letter", Long.toString(benchmarkMessage.id()), benchmarkMessage.text());
        }

        @Override
        public void fill(Backlog backlog) throws Exception {
            for (long first = 0; first < backlog.count(); first += AT_ONCE) {
                send(new SendBatch(backlog.part(first, AT_ONCE), false));
            }
        }

        @Override
        public void start(int workers, HandlerWork handlerWork) {
            OneTimeTask<String> task = Tasks.oneTime("letter", String.class).execute((instance, context) -> {
                try {
                    handlerWork.run(instance.getData());
                } catch (Exception e) {
                    throw new IllegalStateException("the handler has failed", e);
                }
            });
            SchedulerBuilder builder = Scheduler.create(aware, task)
                    .threads(workers)
                    .pollingInterval(POLL)
                    .alwaysPersistTimestampInUTC();
            if (vendor == Vendor.MYSQL) {
                builder.pollUsingLockAndFetch(FETCH_BELOW, FETCH_UP_TO);
            } else {
                builder.pollUsingFetch(FETCH_BELOW, FETCH_UP_TO);
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
        public void forEachRemaining(LongConsumer letters) throws SQLException {
            MessageRows.read(spring.pool(), "task_instance", "scheduled_tasks", letters);
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
