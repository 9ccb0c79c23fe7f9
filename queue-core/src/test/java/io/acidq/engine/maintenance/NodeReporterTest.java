package io.acidq.engine.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.MessageId;
import io.acidq.store.NodeReport;
import io.acidq.store.NodeReport.RunningMessage;
import io.acidq.store.NodeReport.ServedQueue;
import io.acidq.store.NodeStore;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class NodeReporterTest {

    private static final NodeReport IDLE = report(0, 0);

    private final List<String> calls = new ArrayList<>();
    private final NodeStore nodes = (NodeStore) Proxy.newProxyInstance(
            NodeStore.class.getClassLoader(), new Class<?>[] {NodeStore.class}, (proxy, method, args) -> {
                calls.add(method.getName() + " " + args[0]);
                return null;
            });
    private NodeReport current = IDLE;
    private int node = 7;
    private final NodeReporter reporter = new NodeReporter(nodes, () -> node, () -> current);

    private static NodeReport report(int busy, long millis) {
        List<RunningMessage> runs = busy == 0
                ? List.of()
                : List.of(new RunningMessage(new MessageId("q", 1, new UUID(1, 2)), Duration.ofMillis(millis)));
        return new NodeReport(List.of(new ServedQueue("q", 4, busy, 0, List.of(), "", runs)));
    }

    private List<String> run() {
        calls.clear();
        assertThat(reporter.runOnce()).isEqualTo(Duration.ofSeconds(5));
        return List.copyOf(calls);
    }

    @Test
    void writesWhatHasChangedAndNothingWhileTheNodeIsIdle() {
        assertThat(run()).as("idle").isEmpty();
        current = report(1, 10);
        assertThat(run()).containsExactly("writeReport 7");
        current = report(1, 5_010);
        assertThat(run()).as("the same run goes on").isEmpty();
        current = IDLE;
        assertThat(run()).as("what ran has ended").containsExactly("writeReport 7");
        assertThat(run()).isEmpty();
    }

    @Test
    void writesNothingWithoutANodeAndAgainForANewOne() {
        current = report(1, 10);
        node = 0;
        assertThat(run()).isEmpty();
        node = 7;
        assertThat(run()).containsExactly("writeReport 7");
        node = 8; // declared dead, and registered again
        assertThat(run()).containsExactly("writeReport 8");
    }

    @Test
    void removesItsReportIfItHasWrittenOne() {
        reporter.remove();
        assertThat(calls).isEmpty();
        current = report(1, 10);
        run();
        calls.clear();
        reporter.remove();
        assertThat(calls).containsExactly("removeReport 7");
    }
}
