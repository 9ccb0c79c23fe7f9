package io.acidq.cli;

import io.acidq.InputChecks;
import io.acidq.Schedule;
import io.acidq.admin.Operator;
import io.acidq.admin.RecurringMessages;
import io.acidq.admin.RecurringMessages.RecurringInfo;
import io.acidq.admin.RecurringMessages.TickEntry;
import io.acidq.admin.Views;
import io.acidq.cli.Acidq.ExitCode;
import io.acidq.cli.SharedOptions.AuditInfo;
import io.acidq.cli.SharedOptions.LimitConverter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands for recurring messages. */
@Command(
        name = "recurring",
        mixinStandardHelpOptions = true,
        description = "Lists, pauses, resumes, reschedules, triggers and removes recurring messages.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            RecurringCommands.ListRecurring.class,
            RecurringCommands.Next.class,
            RecurringCommands.Ticks.class,
            RecurringCommands.Pause.class,
            RecurringCommands.Resume.class,
            RecurringCommands.Reschedule.class,
            RecurringCommands.Trigger.class,
            RecurringCommands.Remove.class
        })
final class RecurringCommands {

    private RecurringCommands() {}

    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = "Lists the recurring messages with their next ticks.")
    static final class ListRecurring extends DatabaseCommand {

        private static final List<String> HEAD = List.of("NAME", "STATE", "NEXT", "SCHEDULE", "ZONE", "MISFIRE", "TO");

        @Parameters(
                arity = "0..1",
                paramLabel = "PREFIX",
                description = "Only those whose names begin with it. Default: all.")
        private String prefix = "";

        @Option(
                names = "--limit",
                paramLabel = "NUMBER",
                defaultValue = "100",
                converter = LimitConverter.class,
                description = "The most that are listed. Default: ${DEFAULT-VALUE}.")
        private int limit;

        @Override
        int run(Output output) {
            List<List<String>> rows = new ArrayList<>();
            List<Map<String, Object>> fields = new ArrayList<>();
            for (RecurringInfo each : engine(openStore()).recurring().list(prefix, limit)) {
                rows.add(List.of(
                        each.name(),
                        each.paused() ? "paused" : "active",
                        each.next().map(Instant::toString).orElse("-"),
                        each.schedule(),
                        each.zone().isEmpty() ? "-" : each.zone(),
                        each.misfire(),
                        (each.topic() ? "topic " : "") + each.destination()));
                fields.add(Views.recurring(each));
            }
            output.table(HEAD, rows);
            output.json(Map.of("recurring", fields));
            return ExitCode.OK;
        }
    }

    /** A command for one recurring message. */
    abstract static class NamedCommand extends DatabaseCommand {

        @Parameters(index = "0", paramLabel = "NAME", description = "The name of the recurring message.")
        String name = "";

        RecurringMessages recurring() {
            return engine(openStore()).recurring();
        }
    }

    @Command(name = "next", mixinStandardHelpOptions = true, description = "Shows the next ticks, in UTC.")
    static final class Next extends NamedCommand {

        @Option(
                names = "--limit",
                paramLabel = "NUMBER",
                defaultValue = "10",
                description = "How many. Default: ${DEFAULT-VALUE}.")
        private int limit;

        @Override
        int run(Output output) {
            SharedOptions.checked(() -> InputChecks.checkLimit("next ticks", limit, RecurringMessages.MAX_NEXT));
            List<String> ticks = recurring().next(name, limit).stream()
                    .map(Instant::toString)
                    .toList();
            output.table(List.of("NEXT"), ticks.stream().map(List::of).toList());
            output.json(Map.of("next", ticks));
            return ExitCode.OK;
        }
    }

    @Command(
            name = "ticks",
            mixinStandardHelpOptions = true,
            description = "Shows the latest ticks, the newest first, and what became of them.")
    static final class Ticks extends NamedCommand {

        private static final List<String> HEAD = List.of("TICK", "RESULT", "MISSED", "DONE", "MESSAGE");

        @Option(
                names = "--limit",
                paramLabel = "NUMBER",
                defaultValue = "20",
                converter = LimitConverter.class,
                description = "The most that are shown. Default: ${DEFAULT-VALUE}.")
        private int limit;

        @Override
        int run(Output output) {
            List<List<String>> rows = new ArrayList<>();
            List<Map<String, Object>> fields = new ArrayList<>();
            for (TickEntry each : recurring().ticks(name, limit)) {
                String uid = each.uid().map(UUID::toString).orElse("");
                rows.add(List.of(
                        each.at().toString(),
                        each.result().name(),
                        String.valueOf(each.missed()),
                        each.doneAt().toString(),
                        uid.isEmpty() ? "-" : uid));
                fields.add(Views.tick(each));
            }
            output.table(HEAD, rows);
            output.json(Map.of("ticks", fields));
            return ExitCode.OK;
        }
    }

    /** A command that changes one recurring message. */
    abstract static class ChangeCommand extends NamedCommand {

        @Mixin
        final AuditInfo auditInfo = new AuditInfo();

        /** Makes the change; returns false when there was nothing to change. */
        abstract boolean change(RecurringMessages recurring, Operator operator);

        /** Returns what the change did, or why it did nothing. */
        abstract String result(boolean changed);

        @Override
        int run(Output output) {
            Operator operator = auditInfo.operator();
            boolean changed = change(recurring(), operator);
            output.line("recurring message '" + name + "' " + result(changed));
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("name", name);
            fields.put("changed", changed);
            output.json(fields);
            return ExitCode.OK;
        }
    }

    @Command(
            name = "pause",
            mixinStandardHelpOptions = true,
            description =
                    "Pauses a recurring message until it is resumed. The pause survives restarts and deployments.")
    static final class Pause extends ChangeCommand {

        @Override
        boolean change(RecurringMessages recurring, Operator operator) {
            return recurring.pause(name, operator);
        }

        @Override
        String result(boolean changed) {
            return changed ? "is paused" : "is paused already";
        }
    }

    @Command(
            name = "resume",
            mixinStandardHelpOptions = true,
            description = "Resumes a recurring message. What it missed in the pause is a misfire.")
    static final class Resume extends ChangeCommand {

        @Override
        boolean change(RecurringMessages recurring, Operator operator) {
            return recurring.resume(name, operator);
        }

        @Override
        String result(boolean changed) {
            return changed ? "is resumed" : "is not paused";
        }
    }

    @Command(
            name = "reschedule",
            mixinStandardHelpOptions = true,
            description = {
                "Changes the schedule of a recurring message, from now on.",
                "A deployment that declares another definition overrules it."
            })
    static final class Reschedule extends ChangeCommand {

        @Parameters(
                index = "1",
                paramLabel = "SCHEDULE",
                description = "A cron expression such as '0 30 2 * * *', 'every 30s', or 'after 15m'.")
        private String schedule = "";

        @Option(
                names = "--zone",
                paramLabel = "ZONE",
                description = "The time zone of a cron expression, such as Europe/Berlin.")
        private @Nullable String zone;

        private Schedule wanted() {
            return SharedOptions.checked(() -> Schedule.parse(schedule, zone));
        }

        @Override
        boolean change(RecurringMessages recurring, Operator operator) {
            return recurring.reschedule(name, wanted(), operator);
        }

        @Override
        String result(boolean changed) {
            return changed ? "is rescheduled" : "has this schedule already";
        }
    }

    @Command(
            name = "trigger",
            mixinStandardHelpOptions = true,
            description = "Enqueues the message of a recurring message now, also when it is paused.")
    static final class Trigger extends ChangeCommand {

        @Override
        boolean change(RecurringMessages recurring, Operator operator) {
            return recurring.trigger(name, operator);
        }

        @Override
        String result(boolean changed) {
            return changed
                    ? "is triggered"
                    : "is not triggered: its previous message has not ended and it must not overlap, or no subscription of its topic takes the message";
        }
    }

    @Command(
            name = "remove",
            mixinStandardHelpOptions = true,
            description = "Removes a recurring message. A start of an application that declares it adds it again.")
    static final class Remove extends ChangeCommand {

        @Override
        boolean change(RecurringMessages recurring, Operator operator) {
            return recurring.remove(name, operator);
        }

        @Override
        String result(boolean changed) {
            return changed ? "is removed" : "is not there";
        }
    }
}
