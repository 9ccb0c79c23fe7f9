package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.candidate.Ability;
import io.acidq.benchmarks.candidate.Letter;
import io.acidq.benchmarks.candidate.Parcel;
import io.acidq.benchmarks.candidate.Site.Crew;
import io.acidq.benchmarks.measure.Audit;
import io.acidq.benchmarks.measure.Figures;
import io.acidq.benchmarks.measure.Meter;
import io.acidq.benchmarks.measure.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/** Messages are placed by as many threads as there are workers; nobody handles them. */
final class Produce implements Workload {

    private static final int BULK = 1000;

    @Override
    public String name() {
        return "produce";
    }

    @Override
    public String purpose() {
        return "messages are placed: with a business row (rows-only: without the message), with a key too, alone, "
                + BULK + " in a transaction";
    }

    @Override
    public List<Scenario> scenarios(Sizes sizes) {
        return List.of(
                scenario(sizes, "business", Set.of(Ability.PLACING), new Way(1, true, false)),
                scenario(sizes, "business-key", Set.of(Ability.PLACING, Ability.KEYED), new Way(1, true, true)),
                scenario(sizes, "alone", Set.of(Ability.PLACING, Ability.BACKLOG), new Way(1, false, false)),
                scenario(
                        sizes,
                        "bulk-" + BULK,
                        Set.of(Ability.PLACING, Ability.BACKLOG, Ability.BULK),
                        new Way(BULK, false, false)));
    }

    private static Scenario scenario(Sizes sizes, String name, Set<Ability> needs, Way way) {
        return new Scenario(
                name,
                needs,
                new Crew(sizes.workers(), sizes.workers(), 1),
                sizes.ofMessages().and("inATransaction", way.parcel()),
                Metric.RATE,
                way::run);
    }

    /**
     * How they are placed.
     *
     * @param parcel letters in a transaction
     */
    private record Way(int parcel, boolean business, boolean key) {

        Figures run(Stage stage) throws Exception {
            long messages = stage.sizes().messages();
            int producers = stage.sizes().workers();
            AtomicLong next = new AtomicLong();
            ExecutorService threads = Executors.newFixedThreadPool(producers);
            try {
                stage.connect();
                Meter meter = stage.meter();
                long began = System.nanoTime();
                List<Future<?>> running = new ArrayList<>();
                for (int i = 0; i < producers; i++) {
                    running.add(threads.submit(() -> {
                        placeAll(stage, next, messages);
                        return null;
                    }));
                }
                for (Future<?> one : running) {
                    one.get();
                }
                double seconds = (System.nanoTime() - began) / 1e9;
                var costs = meter.perMessage(messages);
                Audit audit = stage.callRollOfPlaced(messages, business);
                return new Figures(audit)
                        .with(Metric.RATE.key(), messages / seconds)
                        .withAll(costs);
            } finally {
                threads.shutdownNow();
            }
        }

        private void placeAll(Stage stage, AtomicLong next, long messages) throws Exception {
            for (long first = next.getAndAdd(parcel); first < messages; first = next.getAndAdd(parcel)) {
                List<Letter> letters = new ArrayList<>(parcel);
                for (long id = first; id < Math.min(messages, first + parcel); id++) {
                    Letter letter = stage.sizes().letter(id);
                    letters.add(key ? letter.withMessageKey("key-" + id) : letter);
                }
                stage.bench().place(new Parcel(letters, business));
                stage.progress().at(first, messages);
            }
        }
    }
}
