package io.acidq.mybatis.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class TidierTest {

    private static final long LATER = Duration.ofHours(1).toNanos();

    private final AtomicInteger due = new AtomicInteger();
    private final AtomicReference<Thread> thread = new AtomicReference<>();

    @Test
    void doesItAgainWhileItIsDueAndEndsWithoutAnEnd() throws InterruptedException {
        CountDownLatch done = new CountDownLatch(3);
        due.set(3);
        Tidier tidier = new Tidier(() -> due.get() > 0 ? 0 : Tidier.NOTHING, () -> {
            thread.set(Thread.currentThread());
            due.decrementAndGet();
            done.countDown();
        });

        tidier.in(0);

        assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
        thread.get().join(Duration.ofSeconds(30).toMillis());
        assertThat(thread.get().isAlive()).as("nothing was due for a second").isFalse();
    }

    @Test
    void isToldOfWhatIsDueSooner() throws InterruptedException {
        AtomicLong left = new AtomicLong(LATER);
        CountDownLatch done = new CountDownLatch(1);
        Tidier tidier = new Tidier(left::get, () -> {
            left.set(Tidier.NOTHING);
            done.countDown();
        });
        tidier.in(LATER);

        left.set(0);
        tidier.in(0);

        assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
        tidier.end();
    }

    @Test
    void endsAtOnceWhateverWillBeDueAndBeginsAgain() throws InterruptedException {
        AtomicLong left = new AtomicLong(0);
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch second = new CountDownLatch(2);
        Tidier tidier = new Tidier(left::get, () -> {
            thread.set(Thread.currentThread());
            left.set(LATER);
            first.countDown();
            second.countDown();
        });
        tidier.in(0);
        assertThat(first.await(30, TimeUnit.SECONDS)).isTrue();

        tidier.end();
        thread.get().join(Duration.ofSeconds(30).toMillis());
        assertThat(thread.get().isAlive()).isFalse();

        left.set(0);
        tidier.in(0);
        assertThat(second.await(30, TimeUnit.SECONDS)).isTrue();
        tidier.end();
    }

    /** A stop said that all connections were back while one was on its way. */
    @Test
    void endsAfterWhatIsUnderWay() throws Exception {
        CountDownLatch under = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        AtomicLong left = new AtomicLong(0);
        Tidier tidier = new Tidier(left::get, () -> {
            under.countDown();
            try {
                go.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            left.set(Tidier.NOTHING);
        });
        tidier.in(0);
        assertThat(under.await(30, TimeUnit.SECONDS)).isTrue();

        CompletableFuture<Long> seen = CompletableFuture.supplyAsync(() -> {
            tidier.end();
            return left.get();
        });
        go.countDown();

        assertThat(seen.get(30, TimeUnit.SECONDS)).isEqualTo(Tidier.NOTHING);
    }
}
