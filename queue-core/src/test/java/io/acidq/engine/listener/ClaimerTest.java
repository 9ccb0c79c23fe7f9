package io.acidq.engine.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.config.EngineConfig;
import io.acidq.engine.guard.StartGuards;
import io.acidq.engine.loop.DatabaseMonitor;
import io.acidq.engine.node.Heartbeat;
import io.acidq.engine.node.NodeContext;
import io.acidq.engine.node.OpenClaims;
import io.acidq.engine.node.SuspectSlot;
import io.acidq.store.ClaimStore;
import io.acidq.store.ClaimStrategy;
import io.acidq.store.NodeStore.NodeRow;
import io.acidq.telemetry.Telemetry;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ClaimerTest {

    /** Found by the simulation, seed 6560: the heart had found itself buried, and had not yet registered anew, between two lanes of a round. */
    @Test
    void claimsNothingAsNobody() {
        Telemetry telemetry = new Telemetry() {};
        SimulationAuditor simulationAuditor = new SimulationAuditor();
        SimulatedTables tables = new SimulatedTables(StoreFlaw.NONE, new Random(1), () -> 0, simulationAuditor);
        SimulatedRow row = new SimulatedRow(new UUID(1, 1), 0, null, 0, 0);
        simulationAuditor.enqueued(row);
        tables.toHot(row, tables.nextId());
        DatabaseMonitor watch = new DatabaseMonitor(EngineConfig.defaults().heartbeatInterval(), () -> 0, telemetry);
        Heartbeat heart = new Heartbeat(
                new SimulatedNodes(tables, 1),
                () -> new NodeRow(Map.of(), "host", "test"),
                EngineConfig.defaults().heartbeatInterval(),
                buried -> {},
                watch,
                telemetry);
        SuspectSlot suspectSlot = new SuspectSlot();
        NodeContext node = new NodeContext(heart, new OpenClaims(), suspectSlot, () -> {}, () -> 0, telemetry);
        MessageBuffer buffer = new MessageBuffer(() -> true, suspectSlot, StartGuards.NONE);
        ClaimStore claims = new SimulatedClaims(tables, null);
        Claimer claimer = new Claimer(1, buffer, new PrefetchPolicy(1, 1), claims, ClaimStrategy.LANES, node);

        assertThat(claimer.claim(0, 1, 1).messages()).isEmpty();
        assertThat(row.claimNo).isZero();
        assertThat(row.attempts).isZero();
    }
}
