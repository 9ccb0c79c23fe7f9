package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.candidate.CandidateAdapter;
import io.acidq.benchmarks.candidate.SendBatch;
import io.acidq.benchmarks.measure.EpochClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Places letters at the moments of a timetable, each with a business row in a transaction of its own. A letter that is late does not shift the
 * ones after it: several threads serve the timetable, and it is noted when each letter was to go.
 */
final class FixedRate {

    /** Enough that one slow COMMIT holds up nobody. */
    static final int PRODUCERS = 8;

    static final Duration SHORT_LEAD = Duration.ofMillis(50);

    private final CandidateAdapter candidateAdapter;
    private final RunSizes runSizes;
    private final SendListener sendListener;
    private final Duration lead;

    /** Hears of each letter when its COMMIT has returned; called by several threads. Times by {@link EpochClock}. */
    @FunctionalInterface
    interface SendListener {
        void placed(int id, long intended, long committed);
    }

    FixedRate(CandidateAdapter candidateAdapter, RunSizes runSizes, SendListener sendListener) {
        this(candidateAdapter, runSizes, sendListener, SHORT_LEAD);
    }

    /**
     * Places all that the flow has.
     *
     * @param lead the time before the first one
     */
    FixedRate(CandidateAdapter candidateAdapter, RunSizes runSizes, SendListener sendListener, Duration lead) {
        this.candidateAdapter = candidateAdapter;
        this.runSizes = runSizes;
        this.sendListener = sendListener;
        this.lead = lead;
    }

    /** Returns when the last one is placed. */
    void run() throws Exception {
        AtomicInteger next = new AtomicInteger();
        long began = EpochClock.nanos() + lead.toNanos();
        ExecutorService threads = Executors.newFixedThreadPool(PRODUCERS);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < PRODUCERS; i++) {
                running.add(threads.submit(() -> {
                    placeNext(next, began);
                    return null;
                }));
            }
            for (Future<?> one : running) {
                one.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private void placeNext(AtomicInteger next, long began) throws Exception {
        int count = runSizes.arrivalRate().messages();
        for (int id = next.getAndIncrement(); id < count; id = next.getAndIncrement()) {
            long intended = began + id * 1_000_000_000L / runSizes.arrivalRate().perSecond();
            for (long early = intended - EpochClock.nanos(); early > 0; early = intended - EpochClock.nanos()) {
                LockSupport.parkNanos(early);
            }
            candidateAdapter.send(new SendBatch(List.of(runSizes.message(id)), true));
            sendListener.placed(id, intended, EpochClock.nanos());
        }
    }
}
