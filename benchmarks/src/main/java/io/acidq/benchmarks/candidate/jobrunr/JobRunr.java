package io.acidq.benchmarks.candidate.jobrunr;

import static org.jobrunr.server.BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration;

import com.zaxxer.hikari.HikariDataSource;
import io.acidq.benchmarks.candidate.Backlog;
import io.acidq.benchmarks.candidate.BenchmarkMessage;
import io.acidq.benchmarks.candidate.BusinessRows;
import io.acidq.benchmarks.candidate.Candidate;
import io.acidq.benchmarks.candidate.CandidateAdapter;
import io.acidq.benchmarks.candidate.CandidateDatabase;
import io.acidq.benchmarks.candidate.Capability;
import io.acidq.benchmarks.candidate.HandlerWork;
import io.acidq.benchmarks.candidate.MessageRows;
import io.acidq.benchmarks.candidate.Peer;
import io.acidq.benchmarks.candidate.SendBatch;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.function.LongConsumer;
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
 * The free edition of JobRunr. It commits on connections of its own: enqueuing is not part of the business transaction but follows it (taking
 * part is for the paid edition, www.jobrunr.io/en/documentation/pro/transactions), and the end of a job is not part of the handler's.
 *
 * <ul>
 *   <li>As many workers as wanted, and the shortest poll that it allows on a database, 5 seconds; with work at hand it fetches more when
 *       workers become free, without waiting for the poll (www.jobrunr.io/en/documentation/background-methods/background-job-server).
 *   <li>Job requests with handlers instead of lambdas, which spares the analysis of bytecode
 *       (www.jobrunr.io/en/documentation/background-methods/enqueueing-jobs); no dashboard.
 *   <li>It creates its tables itself.
 * </ul>
 */
public final class JobRunr {

    private static final Duration SHORTEST_POLL = Duration.ofSeconds(5);
    private static final int AT_ONCE = 1000;

    private JobRunr() {}

    public static Candidate candidate() {
        return new Peer(
                "jobrunr",
                false,
                EnumSet.of(
                        Capability.BACKLOG,
                        Capability.SENDING,
                        Capability.LIVE,
                        Capability.OTHER_PROCESS,
                        Capability.BULK),
                List.of("jobrunr_"),
                JobRunrAdapter::new);
    }

    private static final class JobRunrAdapter implements CandidateAdapter {

        private final HikariDataSource pool;
        private final JsonMapper json = new Jackson3JsonMapper();
        private final StorageProvider store;
        private final JobRequestScheduler scheduler;
        private @Nullable BackgroundJobServer server;

        JobRunrAdapter(CandidateDatabase candidateDatabase) {
            pool = candidateDatabase.tunedPool();
            store = SqlStorageProviderFactory.using(pool);
            store.setJobMapper(new JobMapper(json));
            scheduler = new JobRequestScheduler(store);
        }

        @Override
        public void send(SendBatch sendBatch) throws SQLException {
            if (sendBatch.business()) {
                try (Connection connection = pool.getConnection()) {
                    BusinessRows.insert(connection, sendBatch.messages());
                    connection.commit();
                }
            }
            enqueue(sendBatch.messages());
        }

        private void enqueue(List<BenchmarkMessage> benchmarkMessages) {
            if (benchmarkMessages.size() == 1) {
                scheduler.enqueue(new BenchmarkJob(benchmarkMessages.get(0).text()));
            } else {
                scheduler.enqueue(
                        benchmarkMessages.stream().map(benchmarkMessage -> new BenchmarkJob(benchmarkMessage.text())));
            }
        }

        @Override
        public void fill(Backlog backlog) {
            for (long first = 0; first < backlog.count(); first += AT_ONCE) {
                enqueue(backlog.part(first, AT_ONCE));
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
                            .andPollInterval(SHORTEST_POLL));
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
        public void forEachRemaining(LongConsumer letters) throws SQLException {
            MessageRows.read(
                    pool,
                    MessageRows.after("\"text\":\"", "jobAsJson"),
                    "jobrunr_jobs WHERE state NOT IN ('SUCCEEDED', 'DELETED')",
                    letters);
        }

        @Override
        public void close() {
            stop();
            store.close();
        }
    }
}
