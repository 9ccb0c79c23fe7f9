package io.acidq.engine.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.config.EngineConfig;
import io.acidq.engine.duty.DatabaseWatch;
import io.acidq.engine.duty.Hints;
import io.acidq.engine.enqueue.FreeWorkers;
import io.acidq.engine.guard.StartGuards;
import io.acidq.engine.node.Heart;
import io.acidq.engine.node.NodeParts;
import io.acidq.engine.node.OpenClaims;
import io.acidq.engine.node.Probation;
import io.acidq.store.ClaimStore;
import io.acidq.store.ClaimStrategy;
import io.acidq.store.NodeStore.NodeRow;
import io.acidq.store.QueueStore.QueueRow;
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
        Auditor auditor = new Auditor();
        SimulatedTables tables = new SimulatedTables(Flaw.NONE, new Random(1), () -> 0, auditor);
        SimulatedRow row = new SimulatedRow(new UUID(1, 1), 0, null, 0, 0);
        auditor.enqueued(row);
        tables.toHot(row, tables.nextId());
        DatabaseWatch watch = new DatabaseWatch(EngineConfig.defaults().beat(), () -> 0, telemetry);
        Heart heart = new Heart(
                new SimulatedNodes(tables, 1),
                () -> new NodeRow(Map.of(), "host", "test"),
                EngineConfig.defaults().beat(),
                buried -> {},
                watch,
                telemetry);
        Probation probation = new Probation();
        NodeParts node = new NodeParts(heart, new OpenClaims(), probation, () -> {}, () -> 0, telemetry);
        QueueParts parts = new QueueParts(
                new QueueRow(1, "q", 3),
                new Buffer(() -> true, probation),
                new Pace(1, 1),
                new Hints(),
                StartGuards.NONE,
                () -> false,
                ClaimStrategy.LANES,
                new FreeWorkers());
        ClaimStore claims = new SimulatedClaims(tables, null);

        assertThat(new Claimer(parts, claims, node).claim(0, 1, 1).messages()).isEmpty();
        assertThat(row.claimNo).isZero();
        assertThat(row.attempts).isZero();
    }
}
