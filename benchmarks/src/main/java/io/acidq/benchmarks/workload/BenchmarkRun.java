package io.acidq.benchmarks.workload;

import com.zaxxer.hikari.HikariDataSource;
import io.acidq.benchmarks.candidate.Candidate;
import io.acidq.benchmarks.candidate.CandidateAdapter;
import io.acidq.benchmarks.candidate.CandidateDatabase;
import io.acidq.benchmarks.candidate.MessageRows;
import io.acidq.benchmarks.candidate.Tables;
import io.acidq.benchmarks.measure.MessageAudit;
import io.acidq.benchmarks.measure.Meter;
import io.acidq.benchmarks.measure.RunAudit;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** One run of one candidate: where it takes place, and what every workload does there. Not thread-safe. */
public final class BenchmarkRun implements AutoCloseable {

    private final CandidateDatabase candidateDatabase;
    private final CandidateAdapter candidateAdapter;
    private final RunSizes runSizes;
    private final RunContext runContext;
    private final HikariDataSource effects;
    private final Connection inspection;
    private final CommittedEffects committedEffects;

    /** Tells people how far the run is. */
    @FunctionalInterface
    public interface Progress {
        void at(long done, long of);
    }

    /** What another process is for. */
    public enum Role {
        /** It places letters: see {@link ProducerProcess}. */
        PRODUCE,
        /** It works them off: see {@link WorkerProcess}. */
        WORK
    }

    /** Starts the same candidate in another process. */
    @FunctionalInterface
    public interface OtherProcess {
        Process start(CandidateDatabase candidateDatabase, Role role, List<String> arguments) throws IOException;
    }

    /**
     * What the workloads need of those who run them.
     *
     * @param candidate who is measured
     */
    public record RunContext(Candidate candidate, Progress progress, OtherProcess otherProcess) {}

    public BenchmarkRun(
            CandidateDatabase candidateDatabase,
            CandidateAdapter candidateAdapter,
            RunSizes runSizes,
            RunContext runContext)
            throws SQLException {
        this.candidateDatabase = candidateDatabase;
        this.candidateAdapter = candidateAdapter;
        this.runSizes = runSizes;
        this.runContext = runContext;
        boolean givesTransactions = runContext.candidate().acknowledgesWithTheEffect();
        this.effects = candidateDatabase.pool(givesTransactions ? 1 : candidateDatabase.workers(), true);
        this.inspection = candidateDatabase.login().connect();
        this.committedEffects = new CommittedEffects(inspection);
    }

    CandidateDatabase database() {
        return candidateDatabase;
    }

    CandidateAdapter adapter() {
        return candidateAdapter;
    }

    RunSizes sizes() {
        return runSizes;
    }

    Progress progress() {
        return runContext.progress();
    }

    Process startProcess(Role role, List<String> arguments) throws IOException {
        return runContext.otherProcess().start(candidateDatabase, role, arguments);
    }

    /** A connection for looking at what is there. */
    Connection inspection() {
        return inspection;
    }

    HandlerLog handlerLog(long letters, HandlerLog.HandlerBehaviour handlerBehaviour) {
        return new HandlerLog(effects, letters, handlerBehaviour);
    }

    /** Opens the connections of all pools. Before the meter starts, and before the workers do. */
    void connect() throws SQLException {
        candidateDatabase.connect();
    }

    /** Makes the statistics anew of all tables of the candidate and the application. */
    void analyze() throws SQLException {
        List<String> prefixes = new ArrayList<>(runContext.candidate().tablePrefixes());
        prefixes.add(Tables.PREFIX);
        FreshStatistics.of(inspection, prefixes);
    }

    Meter meter() throws SQLException {
        System.gc(); // the garbage of what came before is not this run's
        return Meter.start(inspection);
    }

    /** Waits for so many messages; not until their transactions have ended. */
    boolean await(HandlerLog handlerLog, long wanted) throws InterruptedException {
        return handlerLog.await(wanted, runSizes.patience(), progress());
    }

    /** Waits until there are so many effects, or patience ends; stops the workers; calls the roll. */
    RunAudit audit(long placed, long wanted, boolean sofar) throws Exception {
        boolean finished = sofar && awaitEffects(wanted);
        candidateAdapter.stop();
        return auditMessages(placed, wanted, finished);
    }

    /** When no workers run any more. Where all were wanted, none may be left. */
    RunAudit auditMessages(long placed, long wanted, boolean sofar) throws Exception {
        MessageAudit messageAudit = new MessageAudit(placed);
        MessageRows.read(inspection, "letter", "bench_effect", messageAudit::effect);
        candidateAdapter.forEachRemaining(messageAudit::left);
        return messageAudit.audit(sofar && (wanted < placed || messageAudit.left() == 0));
    }

    /** For a run whose messages nobody handles: each must be there still, and so must its business row, if it has one. */
    RunAudit auditSentMessages(long placed, boolean business) throws Exception {
        MessageAudit messages = new MessageAudit(placed);
        candidateAdapter.forEachRemaining(messages::left);
        if (!business) {
            return messages.audit(true);
        }
        MessageAudit rows = new MessageAudit(placed);
        MessageRows.read(inspection, "letter", "bench_business", rows::left);
        return messages.auditWith(rows, true);
    }

    /** Waits until so many messages have an effect; false when none is added for as long as patience lasts. */
    boolean awaitEffects(long wanted) throws SQLException, InterruptedException {
        return committedEffects.await(wanted, runSizes.patience());
    }

    /** Whether so many messages have an effect now. */
    boolean hasEffects(long wanted) throws SQLException {
        return committedEffects.has(wanted);
    }

    @Override
    public void close() throws SQLException {
        inspection.close();
        effects.close();
    }
}
