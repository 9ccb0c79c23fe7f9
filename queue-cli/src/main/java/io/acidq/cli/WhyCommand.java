package io.acidq.cli;

import io.acidq.MessageId;
import io.acidq.admin.Diagnosis;
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
final class WhyCommand extends DatabaseCommand {

    @Parameters(
            paramLabel = "MESSAGE_ID",
            converter = IdConverter.class,
            description = "The message, as queue~lane~uid.")
    private @Nullable MessageId id;

    @Override
    int run(Database database, Output output) {
        Engine engine = database.engine();
        if (id == null) {
            throw new IllegalStateException("picocli demands it");
        }
        Diagnosis diagnosis = engine.why(id);
        output.line(Text.oneLine(diagnosis.toString()));
        output.json(fields(diagnosis));
        return ExitCode.OK;
    }

    private static Map<String, Object> fields(Diagnosis diagnosis) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", diagnosis.id().toString());
        fields.put("reason", diagnosis.reason().name());
        fields.put("text", diagnosis.text());
        diagnosis.facts().at().ifPresent(at -> fields.put("at", at.toString()));
        diagnosis.facts().closedBy().ifPresent(other -> fields.put("closedBy", other.toString()));
        diagnosis.facts().node().ifPresent(node -> fields.put("node", node(node)));
        diagnosis.facts().guard().ifPresent(guard -> fields.put("guard", guard));
        diagnosis.facts().cause().ifPresent(cause -> fields.put("cause", cause));
        diagnosis.facts().before().ifPresent(before -> fields.put("before", before));
        return fields;
    }

    static Map<String, Object> node(Diagnosis.Node node) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("node", node.number());
        fields.put("host", node.host());
        fields.put("alive", node.alive());
        node.since().ifPresent(at -> fields.put("since", at.toString()));
        return fields;
    }
}
