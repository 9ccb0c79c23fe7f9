package io.acidq.doctor;

import io.acidq.store.BrowseStore.LivingNode;
import java.util.Comparator;
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
        if (size < need.least()) {
            notes.problem(
                    "the pool has " + size + " connections, and node " + node.node() + " has " + need.workers()
                            + " workers and a heartbeat, each with one of its own: they can not all work",
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
        return new PoolNeed(
                node.workers().values().stream().mapToInt(Integer::intValue).sum(),
                node.workers().size());
    }
}
