package io.acidq.doctor;

import io.acidq.store.BrowseStore.LivingNode;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The connection pool beside what the workers of a node need. */
record PoolExamination(Premises premises, Fleet fleet) implements Examination {

    @Override
    public void look(Notes notes) {
        if (premises.poolSize().isEmpty()) {
            notes.ok("the size of the application's pool is not known here");
            return;
        }
        int size = premises.poolSize().getAsInt();
        Optional<LivingNode> node = premises.node().isPresent()
                ? fleet.counted().stream()
                        .filter(n -> n.node() == premises.node().getAsInt())
                        .findFirst()
                : fleet.living().stream().max(Comparator.comparingInt(n -> need(n).withoutWaits()));
        if (node.isEmpty()) {
            notes.ok("the pool has " + size + " connections, and no node with listeners is there to need them");
            return;
        }
        compare(size, node.get(), notes);
    }

    private static void compare(int size, LivingNode node, Notes notes) {
        PoolNeed need = need(node);
        int needed = need.withoutWaits();
        String advice = "enlarge it to " + needed
                + " and what the application needs by itself, or lower the workers: see docs/en/configuration.md";
        int most = need.each().stream().mapToInt(Integer::intValue).max().orElse(0);
        if (size < need.fewest()) {
            notes.problem(
                    "the pool has " + size + " connections, and an engine with one worker needs " + need.fewest()
                            + " to start, run and stop",
                    advice);
        } else if (size < PoolNeed.leastFor(most)) {
            notes.problem(
                    "the pool has " + size + " connections, and one listener of node " + node.node() + " has " + most
                            + " workers, each with one of its own beside the heartbeat's: they can never all work",
                    advice);
        } else if (size < needed) {
            notes.warning(
                    "the pool has " + size + " connections; node " + node.node() + " needs up to " + needed
                            + ": threads wait for each other's",
                    advice);
        } else {
            notes.ok("the pool has " + size + " connections; node " + node.node() + " needs up to " + needed);
        }
    }

    private static PoolNeed need(LivingNode node) {
        return new PoolNeed(List.copyOf(node.workers().values()));
    }
}
