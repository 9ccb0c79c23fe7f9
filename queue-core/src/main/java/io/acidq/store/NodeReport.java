package io.acidq.store;

import io.acidq.MessageId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The work of a node at one moment, as it tells other processes. In the database it is text with a line for each part, since the core has no JSON. A
 * reader ignores lines that it does not know, which a later version may write.
 *
 * @param queues the queues that it serves
 */
public record NodeReport(List<ServedQueue> queues) {

    /** The most runs of a queue that a report names: the longest ones. */
    public static final int MAX_RUNS = 20;

    /** The end of the text of a guard that lets nothing start. */
    public static final String STOPS = "stops";

    /** The size of the column. */
    private static final int MAX_BYTES = 16_000;

    private static final String SEPARATOR = "\t";

    public NodeReport {
        queues = List.copyOf(queues);
    }

    /**
     * A queue in a node.
     *
     * @param queue    its name
     * @param workers  how many workers it has there
     * @param running  how many messages run there
     * @param unstarted how many are claimed and have not started
     * @param guards   the guards that stop it or test, as texts
     * @param suspect  the message with crashes that the node runs alone, as the text of its id; empty for none
     * @param runs     the longest runs, the longest first
     */
    public record ServedQueue(
            String queue,
            int workers,
            int running,
            int unstarted,
            List<String> guards,
            String suspect,
            List<RunningMessage> runs) {

        public ServedQueue {
            guards = List.copyOf(guards);
            runs = List.copyOf(runs);
        }

        /** Returns the guard that lets nothing start; null when there is none. */
        public @Nullable String stoppingGuard() {
            return guards.stream()
                    .filter(guard -> guard.endsWith(' ' + STOPS))
                    .findFirst()
                    .orElse(null);
        }
    }

    /**
     * A message that runs.
     *
     * @param runningFor how long it had been running when the report was written
     */
    public record RunningMessage(MessageId id, Duration runningFor) {}

    /** Returns the text for the database. Runs that do not fit are left out, the shortest first. */
    public byte[] encode() {
        StringBuilder text = new StringBuilder();
        for (ServedQueue each : queues) {
            String line = String.join(
                    SEPARATOR,
                    "queue",
                    each.queue(),
                    String.valueOf(each.workers()),
                    String.valueOf(each.running()),
                    String.valueOf(each.unstarted()),
                    each.suspect());
            append(text, line);
            each.guards()
                    .forEach(guard -> append(text, "guard" + SEPARATOR + each.queue() + SEPARATOR + oneLine(guard)));
        }
        queues.stream()
                .flatMap(each -> each.runs().stream())
                .sorted(Comparator.comparing(RunningMessage::runningFor).reversed())
                .forEach(run -> append(
                        text,
                        "run" + SEPARATOR + run.id() + SEPARATOR
                                + run.runningFor().toMillis()));
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void append(StringBuilder text, String line) {
        int bytes = text.toString().getBytes(StandardCharsets.UTF_8).length;
        if (bytes + line.getBytes(StandardCharsets.UTF_8).length + 1 <= MAX_BYTES) {
            text.append(line).append('\n');
        }
    }

    private static String oneLine(String text) {
        return text.replaceAll("[\\t\\r\\n]+", " ");
    }

    /** Reads the text of the database. */
    public static NodeReport decode(byte[] body) {
        List<ServedQueue> queues = new ArrayList<>();
        List<String[]> others = new ArrayList<>();
        for (String line : new String(body, StandardCharsets.UTF_8).split("\n", -1)) {
            String[] fields = line.split(SEPARATOR, -1);
            if (fields[0].equals("queue") && fields.length >= 6) {
                queues.add(new ServedQueue(
                        fields[1],
                        number(fields[2]),
                        number(fields[3]),
                        number(fields[4]),
                        List.of(),
                        fields[5],
                        List.of()));
            } else if (fields.length >= 3) {
                others.add(fields);
            }
        }
        return new NodeReport(
                queues.stream().map(each -> withLines(each, others)).toList());
    }

    private static ServedQueue withLines(ServedQueue queue, List<String[]> lines) {
        List<String> guards = new ArrayList<>();
        List<RunningMessage> runs = new ArrayList<>();
        for (String[] fields : lines) {
            if (fields[0].equals("guard") && fields[1].equals(queue.queue())) {
                guards.add(fields[2]);
            } else if (fields[0].equals("run")) {
                MessageId id = MessageId.parse(fields[1]);
                if (id.queue().equals(queue.queue())) {
                    runs.add(new RunningMessage(id, Duration.ofMillis(number(fields[2]))));
                }
            }
        }
        return new ServedQueue(
                queue.queue(), queue.workers(), queue.running(), queue.unstarted(), guards, queue.suspect(), runs);
    }

    private static int number(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) { // of a later version
            return 0;
        }
    }
}
