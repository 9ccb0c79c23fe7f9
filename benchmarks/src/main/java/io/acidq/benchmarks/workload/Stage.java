package io.acidq.benchmarks.workload;

import com.zaxxer.hikari.HikariDataSource;
import io.acidq.benchmarks.candidate.Bench;
import io.acidq.benchmarks.candidate.Candidate;
import io.acidq.benchmarks.candidate.LetterRows;
import io.acidq.benchmarks.candidate.Site;
import io.acidq.benchmarks.candidate.Tables;
import io.acidq.benchmarks.measure.Audit;
import io.acidq.benchmarks.measure.Meter;
import io.acidq.benchmarks.measure.Roll;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** One run of one candidate: where it takes place, and what every workload does there. Not thread-safe. */
public final class Stage implements AutoCloseable {

    private final Site site;
    private final Bench bench;
    private final Sizes sizes;
    private final Around around;
    private final HikariDataSource effects;
    private final Connection look;
    private final Committed committed;

    /** Tells people how far the run is. */
    @FunctionalInterface
    public interface Progress {
        void at(long done, long of);
    }

    /** What another process is for. */
    public enum Role {
        /** It places letters: see {@link Producing}. */
        PRODUCE,
        /** It works them off: see {@link Working}. */
        WORK
    }

    /** Starts the same candidate in another process. */
    @FunctionalInterface
    public interface OtherProcess {
        Process start(Site site, Role role, List<String> arguments) throws IOException;
    }

    /**
     * What the workloads need of those who run them.
     *
     * @param candidate who is measured
     */
    public record Around(Candidate candidate, Progress progress, OtherProcess otherProcess) {}

    public Stage(Site site, Bench bench, Sizes sizes, Around around) throws SQLException {
        this.site = site;
        this.bench = bench;
        this.sizes = sizes;
        this.around = around;
        boolean givesTransactions = around.candidate().acknowledgesWithTheEffect();
        this.effects = site.pool(givesTransactions ? 1 : site.workers(), true);
        this.look = site.login().connect();
        this.committed = new Committed(look);
    }

    Site site() {
        return site;
    }

    Bench bench() {
        return bench;
    }

    Sizes sizes() {
        return sizes;
    }

    Progress progress() {
        return around.progress();
    }

    Process elsewhere(Role role, List<String> arguments) throws IOException {
        return around.otherProcess().start(site, role, arguments);
    }

    /** A connection for looking at what is there. */
    Connection look() {
        return look;
    }

    Tally tally(long letters, Tally.Manner manner) {
        return new Tally(effects, letters, manner);
    }

    /** Opens the connections of all pools. Before the meter starts, and before the workers do. */
    void connect() throws SQLException {
        site.connect();
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
    boolean await(Tally tally, long wanted) throws InterruptedException {
        return tally.await(wanted, sizes.patience(), progress());
    }

    /** Waits until there are so many effects, or patience ends; stops the workers; calls the roll. */
    Audit audit(long placed, long wanted, boolean sofar) throws Exception {
        boolean finished = sofar && awaitEffects(wanted);
        bench.stop();
        return callRoll(placed, wanted, finished);
    }

    /** When no workers run any more. Where all were wanted, none may be left. */
    Audit callRoll(long placed, long wanted, boolean sofar) throws Exception {
        Roll roll = new Roll(placed);
        LetterRows.read(look, "letter", "bench_effect", roll::effect);
        bench.left(roll::left);
        return roll.audit(sofar && (wanted < placed || roll.left() == 0));
    }

    /** For a run whose messages nobody handles: each must be there still, and so must its business row, if it has one. */
    Audit callRollOfPlaced(long placed, boolean business) throws Exception {
        Roll messages = new Roll(placed);
        bench.left(messages::left);
        if (!business) {
            return messages.audit(true);
        }
        Roll rows = new Roll(placed);
        LetterRows.read(look, "letter", "bench_business", rows::left);
        return messages.auditWith(rows, true);
    }

    /** Waits until so many messages have an effect; false when none is added for as long as patience lasts. */
    boolean awaitEffects(long wanted) throws SQLException, InterruptedException {
        return committed.await(wanted, sizes.patience());
    }

    /** Whether so many messages have an effect now. */
    boolean hasEffects(long wanted) throws SQLException {
        return committed.has(wanted);
    }

    @Override
    public void close() throws SQLException {
        look.close();
        effects.close();
    }
}
