package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.candidate.CandidateAdapter;
import io.acidq.benchmarks.candidate.CandidateAdapter.SendBatch;
import io.acidq.benchmarks.measure.CostMeter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends messages at planned times, each with a business row in a transaction of its own. A late message does not delay the next ones: several
 * threads send, and the planned time of each message is recorded.
 */
final class FixedRate {

    /** Enough threads that one slow COMMIT delays no other message. */
    static final int PRODUCERS = 8;

    static final Duration SHORT_LEAD = Duration.ofMillis(50);

    private final CandidateAdapter adapter;
    private final RunSizes runSizes;
    private final SendListener sendListener;
    private final Duration lead;

    /** Called after the COMMIT of each message, by several threads. Times are those of {@link CostMeter#epochNanos}. */
    @FunctionalInterface
    interface SendListener {
        void sent(int id, long planned, long committed);
    }

    /** Sends all messages of the arrival rate, the first one after the lead time. */
    FixedRate(CandidateAdapter adapter, RunSizes runSizes, SendListener sendListener, Duration lead) {
        this.adapter = adapter;
        this.runSizes = runSizes;
        this.sendListener = sendListener;
        this.lead = lead;
    }

    /** Returns after the last COMMIT. */
    void run() throws Exception {
        AtomicInteger next = new AtomicInteger();
        long start = CostMeter.epochNanos() + lead.toNanos();
        ExecutorService threads = Executors.newFixedThreadPool(PRODUCERS);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < PRODUCERS; i++) {
                running.add(threads.submit(() -> {
                    sendNext(next, start);
                    return null;
                }));
            }
            for (Future<?> thread : running) {
                thread.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private void sendNext(AtomicInteger next, long start) throws Exception {
        int count = runSizes.arrivalRate().messages();
        for (int id = next.getAndIncrement(); id < count; id = next.getAndIncrement()) {
            long planned = start + id * 1_000_000_000L / runSizes.arrivalRate().perSecond();
            for (long early = planned - CostMeter.epochNanos(); early > 0; early = planned - CostMeter.epochNanos()) {
                LockSupport.parkNanos(early);
            }
            adapter.send(new SendBatch(List.of(runSizes.message(id)), true));
            sendListener.sent(id, planned, CostMeter.epochNanos());
        }
    }
}
