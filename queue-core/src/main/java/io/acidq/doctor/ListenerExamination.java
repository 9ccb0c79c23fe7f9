package io.acidq.doctor;

import io.acidq.store.BrowseStore.LivingNode;
import io.acidq.store.BrowseStore.QueueLook;
import io.acidq.store.Store;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Queues with messages that no living node serves. Of each only whether there is one message is read. */
record ListenerExamination(Store store, Fleet fleet) implements Examination {

    private static final int MOST_QUEUES = 1_000;

    @Override
    public void look(Notes notes) {
        Set<Integer> served = fleet.living().stream()
                .map(LivingNode::workers)
                .flatMap(w -> w.keySet().stream())
                .collect(Collectors.toSet());
        List<QueueLook> queues = store.browse().queues(MOST_QUEUES);
        for (QueueLook queue : queues) {
            if (!served.contains(queue.id()) && store.backlog().countUnclaimed(queue.id(), 1) > 0) {
                notes.problem(
                        "queue '" + queue.name()
                                + "' has messages that are due, and no living node has a listener of it",
                        "start an application with a listener of '" + queue.name()
                                + "', or see that its name is spelled as the producer's");
            } else if (queue.paused()) {
                notes.warning(
                        "queue '" + queue.name() + "' is paused", "resume it when what it was paused for is over");
            }
        }
        if (queues.size() == MOST_QUEUES) {
            notes.warning("only the first " + MOST_QUEUES + " queues were looked at", "look at the others one by one");
        }
        notes.okIfNothing("every queue with messages has a living listener");
    }
}
