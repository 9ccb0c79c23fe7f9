package io.acidq.engine.duty;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.TransientQueueException;
import io.acidq.telemetry.DatabaseState;
import io.acidq.telemetry.Telemetry;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DatabaseWatchTest {

    private static final Duration BEAT = Duration.ofSeconds(3);
    private static final Exception LOST = failure(2013);
    private static final Exception READ_ONLY = failure(1290);

    private final List<String> told = new ArrayList<>();
    private long now;
    private int asked;
    private int resumed;
    private int forgot;
    private final Telemetry telemetry = new Telemetry() {
        @Override
        public void databaseChanged(DatabaseState state, @Nullable Throwable cause) {
            told.add(state.name());
        }

        @Override
        public void failing(String duty, Throwable cause) {
            told.add(duty + " fails");
        }

        @Override
        public void recovered(String duty) {
            told.add(duty + " works");
        }
    };
    private final DatabaseWatch watch = new DatabaseWatch(BEAT, () -> now, telemetry);

    @BeforeEach
    void start() {
        watch.heart(() -> asked++);
        watch.onOutage(() -> forgot++);
        watch.onEndOfOutage(() -> resumed++);
        watch.begin(DatabaseState.UP);
        watch.beat();
    }

    @Test
    void tellsAnOutageOnceWhoeverFailsAndItsEndOnce() {
        Trouble mover = watch.trouble("mover");
        Trouble poller = watch.trouble("poller");
        mover.failed(LOST);
        poller.failed(LOST);
        assertThat(asked).as("each asks the heart at its first failure").isEqualTo(2);
        watch.noBeat(LOST);
        mover.failed(LOST);
        watch.noBeat(LOST);
        assertThat(watch.letsWork()).isFalse();
        assertThat(forgot).isEqualTo(1);
        assertThat(watch.health(7).lastError()).contains(LOST.toString());

        watch.beat();
        mover.worked();
        poller.worked();
        watch.beat();

        assertThat(told).containsExactly("DOWN", "UP");
        assertThat(resumed).isEqualTo(1);
        assertThat(watch.letsWork()).isTrue();
    }

    @Test
    void tellsNothingOfALostConnectionWhileTheHeartBeats() {
        Trouble mover = watch.trouble("mover");
        mover.failed(LOST);
        watch.beat();
        now += BEAT.toNanos();
        mover.worked();
        watch.beat();

        assertThat(told).isEmpty();
    }

    @Test
    void isImpairedWhenOthersFailForLongerThanABeatWhileTheHeartBeats() {
        Trouble mover = watch.trouble("mover");
        mover.failed(LOST);
        now += BEAT.toNanos();
        mover.failed(LOST);
        watch.beat();
        watch.beat();
        assertThat(told).containsExactly("IMPAIRED");
        assertThat(watch.letsWork()).as("who has a connection goes on").isTrue();

        mover.worked();
        watch.beat();
        assertThat(told).as("what is short comes and goes").containsExactly("IMPAIRED");
        now += Duration.ofSeconds(15).toNanos();
        watch.beat();
        assertThat(told).containsExactly("IMPAIRED", "UP");
    }

    @Test
    void forgetsAFailureThatNobodyTriesAgain() {
        Trouble worker = watch.trouble("worker");
        worker.failed(LOST);
        now += BEAT.toNanos();
        worker.failed(LOST);
        watch.beat();
        now += Duration.ofMinutes(1).toNanos();
        watch.beat();

        assertThat(told).containsExactly("IMPAIRED", "UP");
    }

    @Test
    void knowsADatabaseThatTakesNoWrites() {
        watch.noBeat(READ_ONLY);
        assertThat(watch.health(7).database()).isEqualTo(DatabaseState.READ_ONLY);
        assertThat(watch.health(7).isWorking()).isFalse();
        watch.noBeat(LOST);
        watch.beat();

        assertThat(told).containsExactly("READ_ONLY", "DOWN", "UP");
    }

    @Test
    void leavesToOthersWhatIsNotTheDatabasesDoing() {
        Trouble mover = watch.trouble("mover");
        mover.failed(new IllegalStateException("a bug"));
        mover.failed(LOST);
        mover.worked();

        assertThat(told).containsExactly("mover fails", "mover works");
    }

    @Test
    void letsNobodyBeJudgedInAnOutageNorUntilTheOthersCanHaveComeBack() {
        now += 6 * BEAT.toNanos();
        assertThat(watch.isSettled()).isTrue();
        watch.noBeat(LOST);
        assertThat(watch.isSettled()).isFalse();
        watch.beat();
        assertThat(watch.isSettled()).isFalse();
        now += DatabaseWatch.SETTLING.toNanos();
        assertThat(watch.isSettled()).isTrue();
    }

    /** An engine that starts right after the server did saw others silent that could not yet have come back, and buried one. */
    @Test
    void letsNobodyBeJudgedByAnEngineThatHasJustStarted() {
        assertThat(watch.isSettled()).isFalse();
        now += DatabaseWatch.SETTLING.toNanos() - 1;
        assertThat(watch.isSettled()).isFalse();
        now++;
        assertThat(watch.isSettled()).isTrue();
    }

    /** A heart waited in its pool for 30 s while its server was dead, and the engine called itself well. */
    @Test
    void tellsOfAHeartThatStandsStillWithoutFailing() {
        now += Duration.ofSeconds(5).toNanos();
        watch.look();
        assertThat(told).isEmpty();
        now += Math.max(Duration.ofSeconds(5).toNanos(), 3 * BEAT.toNanos());
        watch.look();
        watch.look();
        assertThat(told).containsExactly("DOWN");
        assertThat(watch.health(1).isWorking()).isFalse();
        watch.beat();
        assertThat(told).containsExactly("DOWN", "UP");
    }

    @Test
    void decidesByItselfInAnEngineWithoutAHeart() {
        watch.heart(null);
        Trouble janitor = watch.trouble("janitor");
        janitor.failed(LOST);
        janitor.failed(LOST);
        janitor.worked();

        assertThat(told).containsExactly("DOWN", "UP");
    }

    private static TransientQueueException failure(int code) {
        return new TransientQueueException("no", new SQLException("no", "08S01", code));
    }
}
