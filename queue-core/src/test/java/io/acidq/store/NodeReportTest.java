package io.acidq.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.MessageId;
import io.acidq.store.NodeReport.RunningMessage;
import io.acidq.store.NodeReport.ServedQueue;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NodeReportTest {

    private static RunningMessage run(String queue, long millis) {
        return new RunningMessage(new MessageId(queue, 3, new UUID(1, millis)), Duration.ofMillis(millis));
    }

    @Test
    void isReadAsItWasWritten() {
        NodeReport report = new NodeReport(List.of(
                new ServedQueue(
                        "orders",
                        8,
                        2,
                        5,
                        List.of("breaker 'w' stops", "rate limit 'r' tests"),
                        "",
                        List.of(run("orders", 900), run("orders", 5))),
                new ServedQueue(
                        "topic/subscription",
                        1,
                        0,
                        0,
                        List.of(),
                        run("topic/subscription", 1).id().toString(),
                        List.of())));

        assertThat(NodeReport.decode(report.encode())).isEqualTo(report);
        assertThat(report.queues().get(0).stoppingGuard()).isEqualTo("breaker 'w' stops");
        assertThat(report.queues().get(1).stoppingGuard()).isNull();
    }

    @Test
    void leavesOutTheShortestRunsThatDoNotFit() {
        NodeReport report = new NodeReport(IntStream.range(0, 40)
                .mapToObj(q -> new ServedQueue(
                        "q" + q,
                        20,
                        20,
                        0,
                        List.of(),
                        "",
                        IntStream.range(0, 20)
                                .mapToObj(i -> run("q" + q, 10_000L * i + q))
                                .toList()))
                .toList());

        byte[] body = report.encode();
        assertThat(body).hasSizeLessThanOrEqualTo(16_000);
        NodeReport read = NodeReport.decode(body);
        assertThat(read.queues()).hasSize(40);
        assertThat(read.queues().get(39).runs().get(0).runningFor()).isEqualTo(Duration.ofMillis(190_039));
        assertThat(read.queues()).allSatisfy(queue -> assertThat(queue.runs()).hasSizeLessThan(20));
    }

    @Test
    void ignoresWhatALaterVersionMayWrite() {
        byte[] body = "version\t2\nqueue\tq\t4\t1\tmany\t\tmore\nnew\tq\tx\n\n".getBytes(StandardCharsets.UTF_8);

        assertThat(NodeReport.decode(body).queues())
                .containsExactly(new ServedQueue("q", 4, 1, 0, List.of(), "", List.of()));
    }
}
