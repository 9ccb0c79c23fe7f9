package io.acidq.engine.duty;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.engine.duty.Stillness.Moment;
import io.acidq.store.CommitStore.Commits;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class StillnessTest {

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1000); // nanoTime may overflow
    private final Stillness stillness = new Stillness(now::get);
    private long last = 40;
    private long count = 140;

    @Test
    void isNotGoneByBeforeTheServerHasCountedABeat() {
        see();
        Moment early = stillness.moment();
        see();
        assertThat(stillness.lastsSince(early)).isFalse();
        assertThat(stillness.isKnown()).isFalse();
        beat();
        see();
        assertThat(stillness.lastsSince(early))
                .as("asked before anything was known")
                .isFalse();
        assertThat(stillness.lastsSince(stillness.moment())).isTrue();
    }

    @Test
    void lastsWhileOnlyItsOwnHeartCommits() {
        Moment moment = know();
        for (int beats = 0; beats < 5; beats++) {
            beat();
            see();
            assertThat(stillness.lastsSince(moment)).isTrue();
        }
        see();
        assertThat(stillness.lastsSince(moment)).isTrue();
    }

    @Test
    void endsWithACommitOfSomebodyElseAndBeginsAnew() {
        Moment moment = know();
        commit();
        see();
        assertThat(stillness.lastsSince(moment)).isFalse();
        assertThat(stillness.lastsSince(stillness.moment())).isTrue();
    }

    @Test
    void endsWithACommitThatAnotherServerHasNumbered() {
        Moment moment = know();
        count++;
        see();
        assertThat(stillness.lastsSince(moment)).isFalse();
    }

    /** The commit ends the wait while the beat is still under way: it is taken for the beat until that is committed too. */
    @Test
    void tellsACommitBesideABeatAsSoonAsBothAreCounted() {
        Moment moment = know();
        stillness.beatBegins();
        commit();
        see();
        assertThat(stillness.lastsSince(moment)).isTrue();
        commit();
        stillness.beatEnds(true);
        see();
        assertThat(stillness.lastsSince(moment)).isFalse();
    }

    @Test
    void takesNoCommitForABeatThatWasCountedBefore() {
        know();
        stillness.beatBegins();
        commit();
        commit();
        see(); // somebody's, and the beat's
        stillness.beatEnds(true);
        Moment moment = stillness.moment();
        commit();
        see();
        assertThat(stillness.lastsSince(moment)).isFalse();
    }

    @Test
    void endsWithABeatOfWhichNobodyKnowsWhatItDid() {
        Moment moment = know();
        stillness.beatBegins();
        stillness.beatEnds(false);
        assertThat(stillness.lastsSince(moment)).isFalse();
        see();
        commit();
        see();
        assertThat(stillness.isKnown()).isFalse();
        beat();
        see();
        assertThat(stillness.isKnown()).isTrue();
    }

    @Test
    void isNotGoneByWhereTheServerDoesNotCountTheBeats() {
        Moment moment = know();
        stillness.beatBegins();
        stillness.beatEnds(true);
        see();
        assertThat(stillness.lastsSince(moment)).isFalse();
        assertThat(stillness.isKnown()).isFalse();
    }

    @Test
    void endsWhenCommitsAreNotWaitedForAnyMore() {
        Moment moment = know();
        stillness.forget();
        assertThat(stillness.lastsSince(moment)).isFalse();
        assertThat(stillness.moment()).isEqualTo(Moment.NEVER);
        see();
        assertThat(stillness.lastsSince(moment)).isFalse();
    }

    @Test
    void isGoodForTenSecondsOnly() {
        Moment moment = know();
        pass(9_999);
        assertThat(stillness.lastsSince(moment)).isTrue();
        pass(1);
        assertThat(stillness.lastsSince(moment)).isFalse();
        assertThat(stillness.lastsSince(stillness.moment())).isTrue();
    }

    private Moment know() {
        see();
        beat();
        see();
        return stillness.moment();
    }

    private void beat() {
        stillness.beatBegins();
        commit();
        stillness.beatEnds(true);
    }

    private void commit() {
        last++;
        count++;
    }

    private void see() {
        stillness.saw(new Commits(last, count), stillness.beaten());
    }

    private void pass(long millis) {
        now.addAndGet(Duration.ofMillis(millis).toNanos());
    }
}
