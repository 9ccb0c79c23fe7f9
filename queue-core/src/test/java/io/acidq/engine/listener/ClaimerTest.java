package io.acidq.engine.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.Outcome;
import io.acidq.config.Listener;
import io.acidq.engine.guard.PauseTracker;
import io.acidq.engine.loop.WakeUps;
import io.acidq.telemetry.Telemetry;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ClaimerTest {

    /**
     * Found by the simulation, seed 6560: the heartbeat had found its node declared dead between two lanes, and had not
     * yet registered a new one.
     */
    @Test
    void claimsNothingBetweenTwoRegistrationsOfItsNode() {
        Telemetry telemetry = new Telemetry() {};
        SimulationAuditor auditor = new SimulationAuditor();
        SimulatedTables tables = new SimulatedTables(StoreFlaw.NONE, new Random(1), () -> 0, auditor);
        SimulatedRow row = new SimulatedRow(new UUID(1, 1), 0, null, 0, 0);
        auditor.enqueued(row);
        tables.toHot(row, tables.nextId());
        WakeUps wakeUps = new WakeUps();
        Claimer claimer = SimulatedNode.container(
                        Listener.on("q", Integer.class, (payload, delivery) -> Outcome.done()),
                        tables,
                        new SimulatedClaims(tables, null),
                        new FakeTransactions(),
                        List.of(),
                        wakeUps,
                        new PauseTracker(wakeUps, telemetry),
                        tables.newNode(telemetry))
                .run
                .claimer;

        assertThat(claimer.claim(0, 1, 1).messages()).isEmpty();
        assertThat(row.claimNo).isZero();
        assertThat(row.attempts).isZero();
    }
}
