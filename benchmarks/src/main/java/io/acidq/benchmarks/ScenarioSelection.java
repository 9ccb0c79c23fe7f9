package io.acidq.benchmarks;

import io.acidq.benchmarks.workload.RunSizes;
import io.acidq.benchmarks.workload.Scenario;
import io.acidq.benchmarks.workload.Workload;
import java.util.List;
import java.util.Set;

/** Some scenarios of a workload. */
record ScenarioSelection(Workload whole, Set<String> wanted) implements Workload {

    @Override
    public String name() {
        return whole.name();
    }

    @Override
    public String purpose() {
        return whole.purpose();
    }

    /**
     * Those of the wanted names.
     *
     * @throws IllegalArgumentException for a name that nothing has; it names all there are
     */
    @Override
    public List<Scenario> scenarios(RunSizes runSizes) {
        List<Scenario> all = whole.scenarios(runSizes);
        List<String> known = all.stream().map(Scenario::name).toList();
        for (String each : wanted) {
            if (!known.contains(each)) {
                throw new IllegalArgumentException("--workloads: " + name() + " has no scenario '" + each
                        + "'; there are " + String.join(", ", known));
            }
        }
        return all.stream().filter(scenario -> wanted.contains(scenario.name())).toList();
    }
}
