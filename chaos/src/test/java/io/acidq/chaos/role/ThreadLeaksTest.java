package io.acidq.chaos.role;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ThreadLeaksTest {

    private static final Duration SHORT = Duration.ofMillis(50);
    private static final Duration LONG = Duration.ofMinutes(1);

    private final CountDownLatch end = new CountDownLatch(1);

    @AfterEach
    void letThemEnd() {
        end.countDown();
    }

    @Test
    void namesNewThreadsThatStay() {
        begin("acidq-before", LONG);
        ThreadLeaks left = new ThreadLeaks(SHORT);
        assertThat(left.names()).isEmpty();
        begin(ThreadLeaks.ACTION_THREAD, LONG);
        begin("acidq-due-message-mover", LONG);
        begin("HikariPool-1 housekeeper", LONG);
        assertThat(left.names()).containsExactly("HikariPool-1 housekeeper", "acidq-due-message-mover");
    }

    @Test
    void waitsForThreadsThatAreAboutToEnd() {
        ThreadLeaks left = new ThreadLeaks(LONG);
        begin("acidq-stop", Duration.ofMillis(200));
        assertThat(left.names()).isEmpty();
    }

    private void begin(String name, Duration atMost) {
        Thread thread = new Thread(() -> stay(atMost), name);
        thread.setDaemon(true);
        thread.start();
    }

    private void stay(Duration atMost) {
        try {
            end.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
