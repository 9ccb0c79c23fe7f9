package io.acidq.benchmarks.candidate.peer;

import static org.jobrunr.server.BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration;

import com.zaxxer.hikari.HikariDataSource;
import io.acidq.benchmarks.candidate.BenchmarkMessage;
import io.acidq.benchmarks.candidate.BenchmarkTables;
import io.acidq.benchmarks.candidate.Candidate;
import io.acidq.benchmarks.candidate.CandidateAdapter;
import io.acidq.benchmarks.candidate.CandidateAdapter.SendBatch;
import io.acidq.benchmarks.candidate.CandidateDatabase;
import io.acidq.benchmarks.candidate.Capability;
import io.acidq.benchmarks.candidate.HandlerWork;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.function.LongConsumer;
import org.jobrunr.jobs.lambdas.JobRequest;
import org.jobrunr.jobs.lambdas.JobRequestHandler;
import org.jobrunr.jobs.mappers.JobMapper;
import org.jobrunr.scheduling.JobRequestScheduler;
import org.jobrunr.server.BackgroundJobServer;
import org.jobrunr.server.JobActivator;
import org.jobrunr.storage.StorageProvider;
import org.jobrunr.storage.sql.common.SqlStorageProviderFactory;
import org.jobrunr.utils.mapper.JsonMapper;
import org.jobrunr.utils.mapper.jackson3.Jackson3JsonMapper;
import org.jspecify.annotations.Nullable;

/**
 * The free edition of JobRunr. It commits on connections of its own: a job is enqueued after the business transaction (joining it needs the
 * paid edition, www.jobrunr.io/en/documentation/pro/transactions) and ends after the handler's transaction.
 *
 * <ul>
 *   <li>It has the configured number of workers and the shortest polling interval that it allows on a database, 5 seconds. While there is work,
 *       it fetches more as workers become free (www.jobrunr.io/en/documentation/background-methods/background-job-server).
 *   <li>Job requests with handlers replace lambdas, which saves the analysis of bytecode
 *       (www.jobrunr.io/en/documentation/background-methods/enqueueing-jobs). There is no dashboard.
 *   <li>It creates its tables itself.
 * </ul>
 */
public final class JobRunr {

    private static final Duration POLL_INTERVAL = Duration.ofSeconds(5);

    private JobRunr() {}

    public static Candidate candidate() {
        return Candidate.peer(
                "jobrunr",
                false,
                EnumSet.of(
                        Capability.BACKLOG,
                        Capability.SENDING,
                        Capability.LIVE,
                        Capability.OTHER_PROCESS,
                        Capability.BULK),
                "jobrunr_",
                JobRunrAdapter::new);
    }

    private static final class JobRunrAdapter implements CandidateAdapter {

        private final HikariDataSource pool;
        private final JsonMapper json = new Jackson3JsonMapper();
        private final StorageProvider store;
        private final JobRequestScheduler scheduler;
        private @Nullable BackgroundJobServer server;

        JobRunrAdapter(CandidateDatabase database) {
            pool = database.tunedPool();
            store = SqlStorageProviderFactory.using(pool);
            store.setJobMapper(new JobMapper(json));
            scheduler = new JobRequestScheduler(store);
        }

        @Override
        public void send(SendBatch sendBatch) throws SQLException {
            if (sendBatch.business()) {
                try (Connection connection = pool.getConnection()) {
                    BenchmarkTables.insertBusinessRows(connection, sendBatch.messages());
                    connection.commit();
                }
            }
            enqueue(sendBatch.messages());
        }

        private void enqueue(List<BenchmarkMessage> messages) {
            if (messages.size() == 1) {
                scheduler.enqueue(new BenchmarkJob(messages.get(0).text()));
            } else {
                scheduler.enqueue(messages.stream().map(message -> new BenchmarkJob(message.text())));
            }
        }

        @Override
        public void start(int workers, HandlerWork handlerWork) {
            BenchmarkJob.Handler handler = new BenchmarkJob.Handler(handlerWork);
            JobActivator activator = new JobActivator() {
                @Override
                public <T> T activateJob(Class<T> type) {
                    return type.cast(handler);
                }
            };
            server = new BackgroundJobServer(
                    store,
                    json,
                    activator,
                    usingStandardBackgroundJobServerConfiguration()
                            .andWorkerCount(workers)
                            .andPollInterval(POLL_INTERVAL));
            server.start();
        }

        @Override
        public void stop() {
            if (server != null) {
                server.stop();
                server = null;
            }
        }

        @Override
        public void forEachRemaining(LongConsumer ids) throws SQLException {
            BenchmarkTables.forEachId(
                    pool,
                    BenchmarkTables.idAfter("\"text\":\"", "jobAsJson"),
                    "jobrunr_jobs WHERE state NOT IN ('SUCCEEDED', 'DELETED')",
                    ids);
        }

        @Override
        public void close() {
            stop();
            store.close();
        }
    }

    /** A message as a job. JobRunr creates it from JSON by the constructor without parameters and calls the handler by reflection, so both are public. */
    public static final class BenchmarkJob implements JobRequest {

        private String text = "";

        BenchmarkJob() {}

        BenchmarkJob(String text) {
            this.text = text;
        }

        @Override
        public Class<Handler> getJobRequestHandler() {
            return Handler.class;
        }

        /** Calls the handler work of the run. */
        public static final class Handler implements JobRequestHandler<BenchmarkJob> {

            private final HandlerWork handlerWork;

            Handler(HandlerWork handlerWork) {
                this.handlerWork = handlerWork;
            }

            @Override
            public void run(BenchmarkJob job) throws Exception {
                handlerWork.run(job.text);
            }
        }
    }
}
