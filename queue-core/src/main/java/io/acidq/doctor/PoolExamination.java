package io.acidq.doctor;

import io.acidq.store.BrowseStore.LivingNode;
import java.util.Comparator;
import java.util.Optional;

/** The connection pool beside what the workers of a node need: the formula of {@code docs/en/configuration.md}. */
record PoolExamination(Premises premises, Fleet fleet) implements Examination {

    /** Duties at work, and connections that are kept ready. */
    private static final int DUTIES = 7;

    private static final int KEPT = 4;

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
                : fleet.living().stream().max(Comparator.comparingInt(PoolExamination::needed));
        if (node.isEmpty()) {
            notes.ok("the pool has " + size + " connections, and no node with listeners is there to need them");
            return;
        }
        compare(size, node.get(), notes);
    }

    private static void compare(int size, LivingNode node, Notes notes) {
        int needed = needed(node);
        int least = workers(node) + 1;
        String advice = "enlarge it to " + needed
                + " and what the application needs by itself, or lower the workers: see docs/en/configuration.md";
        if (size < least) {
            notes.problem(
                    "the pool has " + size + " connections, and node " + node.node() + " has " + workers(node)
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

    /** One for each worker and each listener, one for the heartbeat, those of the duties, and those that are kept. */
    static int needed(LivingNode node) {
        return workers(node) + node.workers().size() + 1 + DUTIES + KEPT;
    }

    private static int workers(LivingNode node) {
        return node.workers().values().stream().mapToInt(Integer::intValue).sum();
    }
}
