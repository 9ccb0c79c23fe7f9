package io.acidq.cli;

import io.acidq.admin.BulkAction;
import io.acidq.admin.BulkResult;
import io.acidq.admin.DeadLetterFilter;
import io.acidq.admin.DeadLetters;
import io.acidq.engine.Engine;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Changes dead letters that match: only told what would be done, unless {@code --yes} is given. */
abstract class DeadLetterChange extends DatabaseCommand {

    @Mixin
    private final DeadOptions wanted = new DeadOptions();

    @Mixin
    private final AuditInfo auditInfo = new AuditInfo();

    @Option(names = "--limit", paramLabel = "N", description = "At most so many, the oldest first. Default: 1000.")
    private int limit = 1000;

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "At most so many a second. Default: as many as the database takes.")
    private int rate;

    @Option(names = "--yes", description = "Does it; without, it is only told what would be done.")
    private boolean yes;

    abstract BulkResult act(DeadLetters letters, DeadLetterFilter filter, BulkAction action);

    /** As in “12 letters are … of 15 that match”. */
    abstract String done();

    @Override
    int run(Database database, Output output) {
        Engine engine = database.engine();
        BulkAction action =
                Arguments.checked(() -> auditInfo.checked().withLimit(limit).withPerSecond(rate));
        BulkResult result = act(engine.deadLetters(), wanted.filter(database::now), yes ? action : action.asDryRun());
        output.line(result.changed() + " dead letters of queue '" + wanted.queue + "' "
                + (yes ? "are " : "would be ") + done() + ", of " + result.matched() + " that match"
                + (result.lost() > 0 ? "; " + result.lost() + " somebody else was quicker with" : "")
                + (result.keyTaken() > 0
                        ? "; " + result.keyTaken() + " stay, their message key is another message's"
                        : ""));
        if (!yes) {
            output.line("nothing was changed: add --yes to do it");
        }
        output.json(fields(result));
        return ExitCode.OK;
    }

    private Map<String, Object> fields(BulkResult result) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("queue", wanted.queue);
        fields.put("dryRun", result.dryRun());
        fields.put("matched", result.matched());
        fields.put("changed", result.changed());
        fields.put("lost", result.lost());
        fields.put("keyTaken", result.keyTaken());
        fields.put("beyondLimit", result.beyondLimit());
        return fields;
    }
}
