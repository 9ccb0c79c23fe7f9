package io.acidq.boot;

import io.acidq.Backlog;
import io.acidq.resilience.GuardState;
import io.acidq.store.InspectionStore.LivingNode;
import io.acidq.telemetry.EngineHealth;
import io.acidq.telemetry.QueueState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the endpoint shows, as it goes into JSON. */
final class EndpointViews {

    private EndpointViews() {}

    /**
     * An engine.
     *
     * @param node      the number of the node that it is, 0 when it is none
     * @param nodes     all nodes that count as living in the database; empty while it is away
     * @param database  how it finds its database
     * @param lasting   for how long it has found it so
     * @param lastError the last error that kept it from the database
     * @param queues    all of the database; while it is away those that this engine has used
     */
    record Overview(
            int node,
            List<NodeView> nodes,
            String database,
            String lasting,
            @Nullable String lastError,
            List<QueueView> queues) {

        static Overview of(EngineHealth health, List<NodeView> nodes, List<QueueView> queues) {
            return new Overview(
                    health.node(),
                    nodes,
                    health.database().name(),
                    health.lasting().toString(),
                    health.lastError().orElse(null),
                    queues);
        }
    }

    /**
     * A node that counts as living.
     *
     * @param node    its number
     * @param host    the process and the host where it runs
     * @param version the version of AcidQ
     * @param started when it registered
     */
    record NodeView(int node, String host, String version, String started) {

        static NodeView of(LivingNode node) {
            return new NodeView(
                    node.node(), node.host(), node.version(), node.started().toString());
        }
    }

    /**
     * A queue.
     *
     * @param paused   whether it is paused, by the database's word; null when that is not known
     * @param backlog  how much there is in the database; null when that is not known
     * @param listener how this engine serves it; null when it does not
     */
    record QueueView(
            String name,
            @Nullable Boolean paused,
            @Nullable BacklogView backlog,
            @Nullable ListenerView listener) {

        static QueueView of(
                String name, @Nullable Boolean paused, @Nullable Backlog backlog, @Nullable QueueState state) {
            return new QueueView(
                    name,
                    paused,
                    backlog == null ? null : BacklogView.of(backlog),
                    state == null ? null : ListenerView.of(state));
        }
    }

    /**
     * How much there is.
     *
     * @param complete      whether the numbers are exact; else there are at least so many
     * @param oldestSeconds how long ago the oldest unclaimed message was first due; null when there is none
     */
    record BacklogView(
            int ready,
            int running,
            int waiting,
            int scheduled,
            int dead,
            boolean complete,
            @Nullable Double oldestSeconds) {

        static BacklogView of(Backlog backlog) {
            return new BacklogView(
                    backlog.ready(),
                    backlog.running(),
                    backlog.waiting(),
                    backlog.scheduled(),
                    backlog.dead(),
                    backlog.isComplete(),
                    backlog.oldest().map(age -> age.toMillis() / 1e3).orElse(null));
        }
    }

    /**
     * A listener of this engine.
     *
     * @param workers       how many workers it has now
     * @param running       how many messages run
     * @param claimed       how many are claimed and have not started
     * @param claimStrategy how it claims
     * @param suspect       the message on probation, or null
     * @param guards        its breaker, rate limit and bulkhead, in words
     */
    record ListenerView(
            int workers,
            int running,
            int claimed,
            String claimStrategy,
            @Nullable String suspect,
            List<String> guards) {

        static ListenerView of(QueueState state) {
            return new ListenerView(
                    state.workers(),
                    state.running(),
                    state.waiting(),
                    state.claimStrategy().name(),
                    state.suspect().map(s -> s.id().toString()).orElse(null),
                    state.guards().stream().map(GuardState::toString).toList());
        }
    }
}
