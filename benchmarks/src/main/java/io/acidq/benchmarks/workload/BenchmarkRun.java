package io.acidq.benchmarks.workload;

import com.zaxxer.hikari.HikariDataSource;
import io.acidq.benchmarks.candidate.Bench;
import io.acidq.benchmarks.candidate.Candidate;
import io.acidq.benchmarks.candidate.CandidateDatabase;
import io.acidq.benchmarks.candidate.MessageRows;
import io.acidq.benchmarks.candidate.Tables;
import io.acidq.benchmarks.measure.MessageRollCall;
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
    private final Bench bench;
    private final RunSizes runSizes;
    private final Around around;
    private final HikariDataSource effects;
    private final Connection look;
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
    public record Around(Candidate candidate, Progress progress, OtherProcess otherProcess) {}

    public BenchmarkRun(CandidateDatabase candidateDatabase, Bench bench, RunSizes runSizes, Around around)
            throws SQLException {
        this.candidateDatabase = candidateDatabase;
        this.bench = bench;
        this.runSizes = runSizes;
        this.around = around;
        boolean givesTransactions = around.candidate().acknowledgesWithTheEffect();
        this.effects = candidateDatabase.pool(givesTransactions ? 1 : candidateDatabase.workers(), true);
        this.look = candidateDatabase.login().connect();
        this.committedEffects = new CommittedEffects(look);
    }

    CandidateDatabase site() {
        return candidateDatabase;
    }

    Bench bench() {
        return bench;
    }

    RunSizes sizes() {
        return runSizes;
    }

    Progress progress() {
        return around.progress();
    }

    Process elsewhere(Role role, List<String> arguments) throws IOException {
        return around.otherProcess().start(candidateDatabase, role, arguments);
    }

    /** A connection for looking at what is there. */
    Connection look() {
        return look;
    }

    HandlerLog tally(long letters, HandlerLog.Manner manner) {
        return new HandlerLog(effects, letters, manner);
    }

    /** Opens the connections of all pools. Before the meter starts, and before the workers do. */
    void connect() throws SQLException {
        candidateDatabase.connect();
    }

    /** Makes the statistics anew of all tables of the candidate and the application. */
    void analyze() throws SQLException {
        List<String> prefixes = new ArrayList<>(around.candidate().tablePrefixes());
        prefixes.add(Tables.PREFIX);
        FreshStatistics.of(look, prefixes);
    }

    Meter meter() throws SQLException {
        System.gc(); // the garbage of what came before is not this run's
        return Meter.start(look);
    }

    /** Waits for so many messages; not until their transactions have ended. */
    boolean await(HandlerLog handlerLog, long wanted) throws InterruptedException {
        return handlerLog.await(wanted, runSizes.patience(), progress());
    }

    /** Waits until there are so many effects, or patience ends; stops the workers; calls the roll. */
    RunAudit audit(long placed, long wanted, boolean sofar) throws Exception {
        boolean finished = sofar && awaitEffects(wanted);
        bench.stop();
        return callRoll(placed, wanted, finished);
    }

    /** When no workers run any more. Where all were wanted, none may be left. */
    RunAudit callRoll(long placed, long wanted, boolean sofar) throws Exception {
        MessageRollCall messageRollCall = new MessageRollCall(placed);
        MessageRows.read(look, "letter", "bench_effect", messageRollCall::effect);
        bench.left(messageRollCall::left);
        return messageRollCall.audit(sofar && (wanted < placed || messageRollCall.left() == 0));
    }

    /** For a run whose messages nobody handles: each must be there still, and so must its business row, if it has one. */
    RunAudit callRollOfPlaced(long placed, boolean business) throws Exception {
        MessageRollCall messages = new MessageRollCall(placed);
        bench.left(messages::left);
        if (!business) {
            return messages.audit(true);
        }
        MessageRollCall rows = new MessageRollCall(placed);
        MessageRows.read(look, "letter", "bench_business", rows::left);
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
        look.close();
        effects.close();
    }
}
