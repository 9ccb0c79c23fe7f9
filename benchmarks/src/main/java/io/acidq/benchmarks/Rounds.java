package io.acidq.benchmarks;

import io.acidq.benchmarks.candidate.Ability;
import io.acidq.benchmarks.candidate.Bench;
import io.acidq.benchmarks.candidate.Candidate;
import io.acidq.benchmarks.candidate.Site;
import io.acidq.benchmarks.measure.Figures;
import io.acidq.benchmarks.measure.Metric;
import io.acidq.benchmarks.report.Entry;
import io.acidq.benchmarks.report.Run;
import io.acidq.benchmarks.report.Section;
import io.acidq.benchmarks.workload.Scenario;
import io.acidq.benchmarks.workload.Sizes;
import io.acidq.benchmarks.workload.Stage;
import io.acidq.benchmarks.workload.Workload;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs everything: of each scenario run 1 of every candidate, then run 2 of every candidate, each time another one first. */
final class Rounds {

    private static final long WORTH_WARMING_UP = 1000;

    private final Ground ground;
    private final Sizes sizes;
    private final int runs;
    private final Telling telling;

    /** Tells people how far it is. */
    interface Telling extends Stage.Progress {

        /** A run begins. */
        void begin(String what);

        /** A run has ended. */
        void end();
    }

    Rounds(Ground ground, Sizes sizes, int runs, Telling telling) {
        this.ground = ground;
        this.sizes = sizes;
        this.runs = runs;
        this.telling = telling;
    }

    /** How many runs there will be, those that only warm up included. */
    static int count(Choice choice, Sizes sizes, int runs) {
        int count = 0;
        for (Workload workload : choice.workloads()) {
            boolean first = true;
            for (Scenario scenario : workload.scenarios(sizes)) {
                int rounds = first && warmsUp(scenario, sizes) ? runs + 1 : runs;
                count += able(scenario, choice.candidates()).size() * rounds;
                first = false;
            }
        }
        return count;
    }

    List<Section> run(Choice choice) throws SQLException {
        List<Section> sections = new ArrayList<>();
        for (Workload workload : choice.workloads()) {
            boolean first = true;
            for (Scenario scenario : workload.scenarios(sizes)) {
                sections.add(run(workload, scenario, first, choice.candidates()));
                first = false;
            }
        }
        return sections;
    }

    private Section run(Workload workload, Scenario scenario, boolean first, List<Candidate> candidates)
            throws SQLException {
        List<Candidate> able = able(scenario, candidates);
        String where = workload.name() + "/" + scenario.name();
        if (first && warmsUp(scenario, sizes)) {
            for (Candidate candidate : able) {
                run(candidate, scenario, sizes.brief(), 0, where);
            }
        }
        List<Turns> all = able.stream().map(Turns::new).toList();
        List<Turns> order = new ArrayList<>(all);
        for (int number = 1; number <= runs; number++) {
            for (Turns its : order) {
                its.runs().add(run(its.candidate(), scenario, sizes, number, where));
            }
            Collections.rotate(order, -1);
        }
        List<Entry> entries =
                all.stream().map(its -> new Entry(its.candidate(), its.runs())).toList();
        return new Section(workload.name(), scenario.name(), scenario.metric(), entries, leftOut(scenario, candidates));
    }

    /** An idle queue does not get idler by warming up, nor other processes; runs that are smaller than a warm-up are only tried out. */
    private static boolean warmsUp(Scenario scenario, Sizes sizes) {
        return (scenario.metric() == Metric.RATE || scenario.metric() == Metric.P99)
                && sizes.messages() >= WORTH_WARMING_UP;
    }

    private static List<Candidate> able(Scenario scenario, List<Candidate> candidates) {
        return candidates.stream()
                .filter(candidate -> candidate.abilities().containsAll(scenario.needs()))
                .toList();
    }

    private static Map<String, String> leftOut(Scenario scenario, List<Candidate> candidates) {
        Map<String, String> leftOut = new LinkedHashMap<>();
        for (Candidate candidate : candidates) {
            EnumSet<Ability> lacks = EnumSet.copyOf(scenario.needs());
            lacks.removeAll(candidate.abilities());
            if (!lacks.isEmpty()) {
                leftOut.put(
                        candidate.name(),
                        String.join(", ", lacks.stream().map(Ability::name).toList()));
            }
        }
        return leftOut;
    }

    private Run run(Candidate candidate, Scenario scenario, Sizes of, int number, String where) throws SQLException {
        telling.begin(where + " " + candidate.name() + (number == 0 ? " warming up" : " run " + number));
        try {
            ground.prepare();
            return new Run(number, measured(candidate, scenario, of), null);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (Exception e) { // of the candidate: the others go on
            System.err.println("benchmarks: " + where + " " + candidate.name() + " failed");
            e.printStackTrace();
            return new Run(number, null, String.valueOf(e));
        } finally {
            ground.clear();
            telling.end();
        }
    }

    private Figures measured(Candidate candidate, Scenario scenario, Sizes of) throws Exception {
        Stage.Around around =
                new Stage.Around(telling, (site, role, arguments) -> OtherMain.start(candidate, site, role, arguments));
        try (Site site = new Site(ground.login(), ground.vendor(), scenario.crew());
                Bench bench = candidate.open(site);
                Stage stage = new Stage(site, bench, of, around)) {
            return scenario.course().run(stage);
        }
    }

    /** The runs of a candidate so far. */
    private record Turns(Candidate candidate, List<Run> runs) {

        Turns(Candidate candidate) {
            this(candidate, new ArrayList<>());
        }
    }
}
