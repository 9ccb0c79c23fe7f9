package io.acidq.boot;

import io.acidq.admin.Backlog;
import io.acidq.resilience.GuardState;
import io.acidq.store.InspectionStore.LivingNode;
import io.acidq.telemetry.EngineHealth;
import io.acidq.telemetry.QueueState;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The answers of the endpoint {@code acidq}. The names of the components are those of the JSON. */
final class AcidqViews {

    private AcidqViews() {}

    /**
     * An engine.
     *
     * @param node      the number of its node; 0 if it is no node
     * @param nodes     all living nodes of the database; empty during an outage
     * @param database  the state of the database as the engine sees it
     * @param lasting   how long the database has been in this state
     * @param lastError the last error of an access to the database
     * @param queues    all queues of the database; during an outage those that this engine has used
     * @param subscriptions all subscriptions of topics; empty during an outage
     */
    record Overview(
            int node,
            List<NodeView> nodes,
            String database,
            String lasting,
            @Nullable String lastError,
            List<QueueView> queues,
            List<Map<String, Object>> subscriptions) {

        static Overview of(
                EngineHealth health,
                List<NodeView> nodes,
                List<QueueView> queues,
                List<Map<String, Object>> subscriptions) {
            return new Overview(
                    health.node(),
                    nodes,
                    health.database().name(),
                    health.inStateFor().toString(),
                    health.lastError().orElse(null),
                    queues,
                    subscriptions);
        }
    }

    /**
     * A living node.
     *
     * @param node    its number
     * @param host    its process and host
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
     * @param paused   whether it is paused in the database; null if unknown
     * @param backlog  its messages in the database; null if unknown
     * @param listener its listener in this engine; null if there is none
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
     * The messages of a queue by state.
     *
     * @param high          how many of the ready messages have the priority HIGH
     * @param low           how many of the ready messages have the priority LOW
     * @param complete      whether the numbers are exact; otherwise they are lower bounds
     * @param oldestSeconds how long ago the oldest unclaimed message was first due; null if there is none
     */
    record BacklogView(
            int ready,
            int running,
            int waiting,
            int scheduled,
            int dead,
            int high,
            int low,
            boolean complete,
            @Nullable Double oldestSeconds) {

        static BacklogView of(Backlog backlog) {
            return new BacklogView(
                    backlog.ready(),
                    backlog.running(),
                    backlog.waiting(),
                    backlog.scheduled(),
                    backlog.dead(),
                    backlog.high(),
                    backlog.low(),
                    backlog.isComplete(),
                    backlog.oldest().map(age -> age.toMillis() / 1e3).orElse(null));
        }
    }

    /**
     * A listener of this engine.
     *
     * @param workers       the current number of its workers
     * @param running       the number of running messages
     * @param unstarted     the number of messages that are claimed and have not started
     * @param claimStrategy the strategy of its claims
     * @param suspect       the suspect message, or null
     * @param guards        descriptions of its breaker, rate limit and bulkhead
     */
    record ListenerView(
            int workers,
            int running,
            int unstarted,
            String claimStrategy,
            @Nullable String suspect,
            List<String> guards) {

        static ListenerView of(QueueState state) {
            return new ListenerView(
                    state.workers(),
                    state.running(),
                    state.unstarted(),
                    state.claimStrategy().name(),
                    state.suspect().map(s -> s.id().toString()).orElse(null),
                    state.guards().stream().map(GuardState::toString).toList());
        }
    }
}
