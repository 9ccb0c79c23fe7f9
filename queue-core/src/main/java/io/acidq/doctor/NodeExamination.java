package io.acidq.doctor;

import io.acidq.store.Store;
import java.util.List;
import java.util.stream.Collectors;

/** Whether nodes that count as living beat, and whether anybody frees what the dead had claimed. */
record NodeExamination(Store store, Fleet fleet) implements Examination {

    @Override
    public void look(Notes notes) {
        boolean alone = fleet.living().isEmpty();
        fleet.silent().forEach(n -> {
            String found = "node " + n.node() + " (" + n.host() + ", since " + n.started()
                    + ") counts as living and has not beaten while it was watched";
            if (alone) {
                notes.problem(
                        found, "no other node is there to free what it had claimed: start an engine with listeners");
            } else {
                notes.warning(
                        found, "it hangs, or its process has ended: the others bury it and free what it had claimed");
            }
        });
        List<Integer> owners = store.nodes().deadOwners();
        if (!owners.isEmpty()) {
            String found = "claims of " + owners.stream().map(o -> "node " + o).collect(Collectors.joining(", "))
                    + ", which does not live, are not freed yet";
            if (alone) {
                notes.problem(found, "no living node is there to free them: start an engine with listeners");
            } else {
                notes.warning(found, "a living node does it within moments; ask again, and see its log if they stay");
            }
        }
        notes.okIfNothing(
                alone
                        ? "no node is registered as living"
                        : fleet.living().size() + " living, the last of version "
                                + fleet.living().get(fleet.living().size() - 1).version());
    }
}
