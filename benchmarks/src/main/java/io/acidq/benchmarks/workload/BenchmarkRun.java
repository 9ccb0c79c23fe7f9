package io.acidq.benchmarks.workload;

import com.zaxxer.hikari.HikariDataSource;
import io.acidq.benchmarks.candidate.BenchmarkTables;
import io.acidq.benchmarks.candidate.Candidate;
import io.acidq.benchmarks.candidate.CandidateAdapter;
import io.acidq.benchmarks.candidate.CandidateDatabase;
import io.acidq.benchmarks.measure.CostMeter;
import io.acidq.benchmarks.measure.MessageAudit;
import io.acidq.benchmarks.measure.MessageAudit.RunAudit;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** One run of one candidate, and the steps that all workloads share. Not thread-safe. */
public final class BenchmarkRun implements AutoCloseable {
    /** Frequent enough for recovery runs, which last for seconds. */
    private static final int BETWEEN_CHECKS_MILLIS = 100;

    private final CandidateDatabase database;
    private final CandidateAdapter adapter;
    private final RunSizes runSizes;
    private final RunContext runContext;
    private final HikariDataSource effects;
    private final Connection inspection;

    /** Shows the progress of a run. */
    @FunctionalInterface
    public interface Progress {
        void at(long done, long total);
    }

    /** The role of another process. */
    public enum Role {
        /** Sends messages: see {@link ProducerProcess}. */
        PRODUCE,
        /** Works messages off: see {@link WorkerProcess}. */
        WORK
    }

    /** Starts the same candidate in another process. */
    @FunctionalInterface
    public interface OtherProcess {
        Process start(CandidateDatabase database, Role role, List<String> arguments) throws IOException;
    }

    /** The parts of a run that do not depend on its database. */
    public record RunContext(Candidate candidate, Progress progress, OtherProcess otherProcess) {}

    public BenchmarkRun(CandidateDatabase database, CandidateAdapter adapter, RunSizes runSizes, RunContext runContext)
            throws SQLException {
        this.database = database;
        this.adapter = adapter;
        this.runSizes = runSizes;
        this.runContext = runContext;
        boolean givesTransactions = runContext.candidate().acknowledgesWithTheEffect();
        this.effects = database.pool(givesTransactions ? 1 : database.workers(), true);
        this.inspection = database.login().connect();
    }

    CandidateDatabase database() {
        return database;
    }

    CandidateAdapter adapter() {
        return adapter;
    }

    RunSizes sizes() {
        return runSizes;
    }

    Progress progress() {
        return runContext.progress();
    }

    Process startProcess(Role role, List<String> arguments) throws IOException {
        return runContext.otherProcess().start(database, role, arguments);
    }

    /** A connection to read the results with. */
    Connection inspection() {
        return inspection;
    }

    HandlerLog handlerLog(long messages, HandlerLog.HandlerBehaviour behaviour) {
        return new HandlerLog(effects, messages, behaviour);
    }

    /** Opens the connections of all pools. Called before the meter and the workers start. */
    void connect() throws SQLException {
        database.connect();
    }

    /** Refreshes the statistics of all tables of the candidate and the application. */
    void analyze() throws SQLException {
        List<String> prefixes = new ArrayList<>(runContext.candidate().tablePrefixes());
        prefixes.add(BenchmarkTables.PREFIX);
        List<String> tables = new ArrayList<>();
        try (Statement statement = inspection.createStatement()) {
            try (ResultSet rows = statement.executeQuery("SELECT table_name FROM information_schema.tables"
                    + " WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE'")) {
                while (rows.next()) {
                    String name = rows.getString(1);
                    if (prefixes.stream().anyMatch(name.toLowerCase(Locale.ROOT)::startsWith)) {
                        tables.add("`" + name + "`");
                    }
                }
            }
            try (ResultSet results = statement.executeQuery("ANALYZE TABLE " + String.join(", ", tables))) {
                while (results.next()) {
                    if (results.getString("Msg_type").equalsIgnoreCase("error")) {
                        throw new SQLException(
                                "ANALYZE TABLE " + results.getString("Table") + ": " + results.getString("Msg_text"));
                    }
                }
            }
        }
    }

    CostMeter meter() throws SQLException {
        System.gc(); // so that this run does not pay for earlier garbage
        return CostMeter.start(inspection);
    }

    /** Waits until handlers of so many messages have ended. Their transactions may still be open. */
    boolean await(HandlerLog handlerLog, long wanted) throws InterruptedException {
        return handlerLog.await(wanted, runSizes.timeout(), progress());
    }

    /** Waits for the wanted effects, stops the workers and audits the messages. */
    RunAudit audit(long sent, long wanted, boolean finishedSoFar) throws Exception {
        boolean finished = finishedSoFar && awaitEffects(wanted);
        adapter.stop();
        return auditMessages(sent, wanted, finished);
    }

    /** Audits the messages after all workers have stopped. If all messages were wanted, none may be left. */
    RunAudit auditMessages(long sent, long wanted, boolean finishedSoFar) throws Exception {
        MessageAudit messageAudit = new MessageAudit(sent);
        BenchmarkTables.forEachId(inspection, "letter", "bench_effect", messageAudit::addEffect);
        adapter.forEachRemaining(messageAudit::addRemaining);
        return messageAudit.audit(finishedSoFar && (wanted < sent || messageAudit.remaining() == 0));
    }

    /** Audits a run without handlers: each message must be there, and its business row if it has one. */
    RunAudit auditSentMessages(long sent, boolean business) throws Exception {
        MessageAudit messages = new MessageAudit(sent);
        adapter.forEachRemaining(messages::addRemaining);
        if (!business) {
            return messages.audit(true);
        }
        MessageAudit rows = new MessageAudit(sent);
        BenchmarkTables.forEachId(inspection, "letter", "bench_business", rows::addRemaining);
        return messages.auditWith(rows, true);
    }

    /** Waits until so many messages have a committed effect. Returns false if none is added for the timeout. */
    boolean awaitEffects(long wanted) throws SQLException, InterruptedException {
        long lastCount = -1;
        long lastChange = System.nanoTime();
        while (true) {
            long count = effectsAtMost(wanted);
            if (count >= wanted && messagesWithEffect() >= wanted) {
                return true;
            }
            if (count != lastCount) {
                lastCount = count;
                lastChange = System.nanoTime();
            }
            if (System.nanoTime() - lastChange > runSizes.timeout().toNanos()) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(BETWEEN_CHECKS_MILLIS);
        }
    }

    /** Whether so many messages have a committed effect now. */
    boolean hasEffects(long wanted) throws SQLException {
        return effectsAtMost(wanted) >= wanted && messagesWithEffect() >= wanted;
    }

    /** An upper bound that costs one row while it is too low: the highest id, which rollbacks may leave too high, else the number of rows. */
    private long effectsAtMost(long wanted) throws SQLException {
        long highest = effects("COALESCE(MAX(id), 0)");
        return highest < wanted ? highest : countEffects();
    }

    /** The number of committed effects now. */
    long countEffects() throws SQLException {
        return effects("COUNT(*)");
    }

    private long messagesWithEffect() throws SQLException {
        return effects("COUNT(DISTINCT letter)");
    }

    private long effects(String expression) throws SQLException {
        try (Statement statement = inspection.createStatement();
                ResultSet row = statement.executeQuery("SELECT " + expression + " FROM bench_effect")) {
            row.next();
            return row.getLong(1);
        }
    }

    @Override
    public void close() throws SQLException {
        inspection.close();
        effects.close();
    }
}
