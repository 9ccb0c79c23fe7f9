package io.acidq.engine.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LooksTest {

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1000); // nanoTime may overflow
    private final Looks looks = new Looks(now::get, Duration.ofMillis(5), Duration.ofMillis(250));

    @Test
    void looksEverMoreSeldomAndLeavesItToTheLookoutInTheEnd() {
        for (int millis = 5; millis < 250; millis *= 2) {
            assertThat(looks.isTime(false)).isTrue();
            looks.begin();
            assertThat(looks.isTime(false)).isFalse();
            assertThat(looks.untilNext()).isEqualTo(Duration.ofMillis(looks.isDormant() ? 250 : millis));
            pass(millis);
        }
        assertThat(looks.isDormant()).isTrue();
        pass(1000);
        assertThat(looks.isTime(false)).isFalse();
        looks.soon();
        assertThat(looks.isTime(false)).isTrue();
    }

    @Test
    void looksAgainSoonAfterALookThatLedToAMessageNobodyHadToldOf() {
        tire();
        looks.begin();
        looks.saw(3);
        pass(1);
        looks.ledTo(3);
        assertThat(looks.untilNext()).isEqualTo(Duration.ofMillis(4));
    }

    @Test
    void doesNotLookForMessagesThatItIsToldOf() {
        tire();
        looks.begin();
        looks.saw(3);
        looks.told(3);
        looks.ledTo(3);
        looks.ledTo(4);
        assertThat(looks.isDormant()).isTrue();
    }

    @Test
    void looksNowAndThenWhileTheLookoutDoesNot() {
        looks.begin();
        pass(249);
        assertThat(looks.isTime(true)).isFalse();
        looks.unwatched();
        assertThat(looks.isTime(true)).isFalse();
        pass(1);
        assertThat(looks.isTime(true)).isTrue();
        looks.lookoutLooked();
        assertThat(looks.isTime(true)).isFalse();
    }

    @Test
    void looksOnceMoreAfterATimeInWhichNobodyDid() {
        tire();
        looks.unwatched();
        pass(100);
        assertThat(looks.untilNext()).isEqualTo(Duration.ofMillis(150));
        pass(150);
        assertThat(looks.isTime(false)).isTrue();
        looks.begin();
        assertThat(looks.untilNext()).isEqualTo(Duration.ofMillis(250));
        pass(250);
        assertThat(looks.isTime(false)).as("watched again").isFalse();
    }

    private void tire() {
        for (int i = 0; i < 10; i++) {
            looks.begin();
        }
    }

    private void pass(long millis) {
        now.addAndGet(Duration.ofMillis(millis).toNanos());
    }
}
