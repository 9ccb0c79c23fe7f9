package io.acidq.benchmarks.workload;

import com.zaxxer.hikari.HikariDataSource;
import io.acidq.benchmarks.candidate.Bench;
import io.acidq.benchmarks.candidate.LetterRows;
import io.acidq.benchmarks.candidate.Site;
import io.acidq.benchmarks.measure.Audit;
import io.acidq.benchmarks.measure.Meter;
import io.acidq.benchmarks.measure.Roll;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One run of one candidate: where it takes place, and what every workload does there. Not thread-safe. */
public final class Stage implements AutoCloseable {

    private final Site site;
    private final Bench bench;
    private final Sizes sizes;
    private final Around around;
    private final HikariDataSource effects;
    private final Connection look;

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

    /** What the workloads need of those who run them. */
    public record Around(Progress progress, OtherProcess otherProcess) {}

    public Stage(Site site, Bench bench, Sizes sizes, Around around) throws SQLException {
        this.site = site;
        this.bench = bench;
        this.sizes = sizes;
        this.around = around;
        this.effects = site.pool(site.workers(), true);
        this.look = site.login().connect();
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

    /** Waits until there are so many effects; false when none is added for as long as patience lasts. */
    boolean awaitEffects(long wanted) throws SQLException, InterruptedException {
        long most = -1;
        long end = 0;
        while (true) {
            try (Statement statement = look.createStatement();
                    ResultSet row = statement.executeQuery("SELECT COUNT(DISTINCT letter) FROM bench_effect")) {
                row.next();
                long there = row.getLong(1);
                if (there >= wanted) {
                    return true;
                }
                if (there > most) {
                    most = there;
                    end = System.nanoTime() + sizes.patience().toNanos();
                }
            }
            if (System.nanoTime() - end > 0) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(Duration.ofMillis(20).toMillis());
        }
    }

    @Override
    public void close() throws SQLException {
        look.close();
        effects.close();
    }
}
