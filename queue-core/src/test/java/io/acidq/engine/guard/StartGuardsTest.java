package io.acidq.engine.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.engine.guard.StartGuards.Permit;
import io.acidq.resilience.Breaker;
import io.acidq.resilience.Bulkhead;
import io.acidq.resilience.Guard;
import io.acidq.resilience.GuardState;
import io.acidq.resilience.RateLimit;
import io.acidq.store.Claim;
import io.acidq.telemetry.Telemetry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class StartGuardsTest {

    private static final Claim ONE = new Claim(1, 0, 1, new UUID(0, 1), 7, 1);
    private static final Claim TWO = new Claim(1, 0, 2, new UUID(0, 2), 7, 1);
    private static final Duration DAY = Duration.ofDays(1);

    private final AtomicLong now = new AtomicLong();
    private final List<String> notifications = new ArrayList<>();
    private final Telemetry telemetry = new Telemetry() {
        @Override
        public void guardChanged(String queue, GuardState state) {
            notifications.add(queue + " " + state.kind() + " " + state.status());
        }

        @Override
        public void taskFailed(String task, Throwable failure) {
            notifications.add(task + ": " + failure.getMessage());
        }
    };

    @Test
    void returnsThePermitOfOneGuardWhenTheNextGuardRefuses() {
        Guard bulkhead = new Bulkhead(1).guard("p", now::get);
        StartGuards guards = guards(bulkhead, RateLimit.of(1, DAY).guard("l", now::get));
        assertThat(guards.enter(ONE)).isTrue();
        guards.takePermit(ONE).close();
        assertThat(guards.enter(TWO)).as("the permit is used up").isFalse();
        assertThat(bulkhead.enter()).as("the permit of the bulkhead is free").isNotNull();
    }

    @Test
    void limitsClaimsToTheSmallestCapacity() {
        StartGuards guards = guards(
                new Bulkhead(4).guard("p", now::get), RateLimit.of(9, DAY).guard("l", now::get));
        assertThat(guards.freeCapacity(100, 0)).isEqualTo(4);
        assertThat(guards.freeCapacity(100, 3)).isEqualTo(1);
        assertThat(guards.freeCapacity(100, 50)).isZero();
        assertThat(guards.freeCapacity(2, 0)).isEqualTo(2);
        assertThat(StartGuards.NONE.freeCapacity(100, 50)).isEqualTo(100);
    }

    @Test
    void reportsEachChangeOnceExceptForBulkheads() {
        Guard breaker = Breaker.defaults()
                .withFailureRate(1, 1, 1)
                .withRecovery(Duration.ofSeconds(1), 1)
                .guard("b", now::get);
        StartGuards guards = guards(new Bulkhead(1).guard("p", now::get), breaker);
        assertThat(guards.reportChanges()).isFalse();
        assertThat(guards.enter(ONE)).isTrue();
        assertThat(guards.reportChanges()).isFalse();
        Permit permit = guards.takePermit(ONE);
        permit.reportFailure(new IllegalStateException());
        permit.close();
        assertThat(guards.reportChanges()).isTrue();
        assertThat(guards.reportChanges()).isFalse();
        assertThat(guards.stoppingGuard()).isEqualTo(breaker.state());
        assertThat(guards.nanosToWait(DAY.toNanos()))
                .isEqualTo(Duration.ofMillis(1001).toNanos());
        now.addAndGet(Duration.ofMillis(1001).toNanos());
        assertThat(guards.reportChanges()).isTrue();
        assertThat(guards.enter(TWO)).isTrue();
        guards.takePermit(TWO).reportSuccess();
        assertThat(guards.reportChanges()).isTrue();
        assertThat(notifications).containsExactly("q BREAKER STOPS", "q BREAKER TESTS", "q BREAKER LETS_THROUGH");
    }

    @Test
    void reportsAGuardThatThrowsAtTheEndOfARun() {
        Guard broken = new FakeGuard() {
            @Override
            public void succeeded(Duration took) {
                throw new IllegalStateException("broken");
            }
        };
        StartGuards guards = guards(broken);
        assertThat(guards.enter(ONE)).isTrue();
        guards.takePermit(ONE).reportSuccess();
        assertThat(notifications).containsExactly("guards of queue q: broken");
    }

    @Test
    void startsNothingWhenAGuardThrowsAndReturnsThePermitsOfTheOthers() {
        Guard bulkhead = new Bulkhead(1).guard("p", now::get);
        StartGuards guards = guards(bulkhead, new FakeGuard() {
            @Override
            public Entry enter() {
                throw new IllegalStateException("broken");
            }
        });
        assertThat(guards.enter(ONE)).isFalse();
        assertThat(notifications).containsExactly("guards of queue q: broken");
        assertThat(bulkhead.state().permits()).isEqualTo(1);
    }

    /** The error ended the thread of the worker, and no other one was started. */
    @Test
    void survivesErrorsOfEachMethodOfAGuard() {
        Guard broken = new FakeGuard() {
            @Override
            public Entry enter() {
                throw new AssertionError("broken");
            }

            @Override
            public int freeCapacity() {
                throw new AssertionError("broken");
            }

            @Override
            public Duration untilChange() {
                throw new AssertionError("broken");
            }

            @Override
            public GuardState state() {
                throw new AssertionError("broken");
            }
        };
        StartGuards guards = guards(broken);
        assertThat(guards.enter(ONE)).isFalse();
        assertThat(guards.freeCapacity(10, 0)).isZero();
        assertThat(guards.nanosToWait(Duration.ofHours(1).toNanos()))
                .isLessThan(Duration.ofSeconds(1).toNanos());
        assertThat(guards.stoppingGuard()).isNull();
        assertThat(guards.states()).isEmpty();
        assertThat(guards.reportChanges()).isFalse();
        assertThat(notifications).containsExactly("guards of queue q: broken");
    }

    @Test
    void reportsOneOutcomeToAGuard() {
        Guard bulkhead = new Bulkhead(2).guard("p", now::get);
        StartGuards guards = guards(bulkhead);
        assertThat(guards.enter(ONE)).isTrue();
        assertThat(guards.enter(TWO)).isTrue();
        Permit givenUp = guards.takePermit(ONE);
        givenUp.reportFailure(new IllegalStateException("its time was over"));
        givenUp.reportSuccess();
        givenUp.close();
        assertThat(bulkhead.state().permits()).isEqualTo(1);
    }

    @Test
    void measuresOnlyTheTimeOfTheHandler() {
        List<Duration> times = new ArrayList<>();
        Guard timer = new FakeGuard() {
            @Override
            public void succeeded(Duration took) {
                times.add(took);
            }
        };
        StartGuards guards = guards(timer);
        assertThat(guards.enter(ONE)).isTrue();
        Permit permit = guards.takePermit(ONE);
        now.addAndGet(1000);
        permit.begin();
        now.addAndGet(30);
        permit.handlerReturned(3);
        now.addAndGet(1000);
        permit.reportSuccess();
        assertThat(times).containsExactly(Duration.ofNanos(10));
    }

    @Test
    void doesNothingWithoutGuards() {
        assertThat(StartGuards.NONE.enter(ONE)).isTrue();
        assertThat(StartGuards.NONE.takePermit(ONE)).isSameAs(Permit.UNGUARDED);
        assertThat(StartGuards.NONE.nanosToWait(5)).isEqualTo(5);
        assertThat(StartGuards.NONE.stoppingGuard()).isNull();
        assertThat(StartGuards.NONE.reportChanges()).isFalse();
    }

    private StartGuards guards(Guard... guards) {
        return new StartGuards("q", List.of(guards), now::get, telemetry);
    }
}
