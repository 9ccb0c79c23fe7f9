package io.acidq.cli;

import io.acidq.MessageId;
import io.acidq.Why;
import io.acidq.engine.Engine;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Says why a message does not run. */
@Command(
        name = "why",
        mixinStandardHelpOptions = true,
        description =
                "Says why a message does not run. What only a worker's process knows, such as an open breaker, is not seen from here.")
final class WhyCommand extends Task {

    @Parameters(
            paramLabel = "MESSAGE_ID",
            converter = IdConverter.class,
            description = "The message, as queue~lane~uid.")
    private @Nullable MessageId id;

    @Override
    int run(Site site, Screen screen) {
        Engine engine = site.engine();
        if (id == null) {
            throw new IllegalStateException("picocli demands it");
        }
        Why why = engine.why(id);
        screen.line(Text.oneLine(why.toString()));
        screen.json(fields(why));
        return ExitCode.FINE;
    }

    private static Map<String, Object> fields(Why why) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", why.id().toString());
        fields.put("reason", why.reason().name());
        fields.put("text", why.text());
        why.facts().at().ifPresent(at -> fields.put("at", at.toString()));
        why.facts().closedBy().ifPresent(other -> fields.put("closedBy", other.toString()));
        why.facts().node().ifPresent(node -> fields.put("node", node(node)));
        why.facts().guard().ifPresent(guard -> fields.put("guard", guard));
        why.facts().cause().ifPresent(cause -> fields.put("cause", cause));
        why.facts().before().ifPresent(before -> fields.put("before", before));
        return fields;
    }

    static Map<String, Object> node(Why.Node node) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("node", node.number());
        fields.put("host", node.host());
        fields.put("alive", node.alive());
        node.since().ifPresent(at -> fields.put("since", at.toString()));
        return fields;
    }
}
