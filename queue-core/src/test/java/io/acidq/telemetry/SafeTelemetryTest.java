package io.acidq.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SafeTelemetryTest {

    @Test
    void passesEachEventToAllWhateverOneThrows() {
        List<Integer> registered = new ArrayList<>();
        Telemetry failing = new Telemetry() {
            @Override
            public void registered(int node) {
                throw new LinkageError("broken");
            }
        };
        Telemetry recording = new Telemetry() {
            @Override
            public void registered(int node) {
                registered.add(node);
            }
        };
        Telemetry all = SafeTelemetry.of(List.of(failing, recording));

        all.registered(7);
        all.taskRecovered("cleaner");

        assertThat(registered).containsExactly(7);
        assertThat(all).isEqualTo(all).hasSameHashCodeAs(all).isNotEqualTo(recording);
        assertThat(all.toString()).contains("SafeTelemetry");
    }
}
