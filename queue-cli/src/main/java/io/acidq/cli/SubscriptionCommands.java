package io.acidq.cli;

import io.acidq.InputChecks;
import io.acidq.admin.Operator;
import io.acidq.admin.Subscriptions;
import io.acidq.admin.Subscriptions.FromArchive;
import io.acidq.admin.Subscriptions.Remaining;
import io.acidq.admin.Subscriptions.Subscription;
import io.acidq.admin.Views;
import io.acidq.cli.Acidq.ExitCode;
import io.acidq.cli.SharedOptions.AuditInfo;
import io.acidq.config.SubscriptionFilter;
import io.acidq.store.Store;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands that list, add and remove subscriptions of topics. */
@Command(
        name = "topics",
        mixinStandardHelpOptions = true,
        description = "Lists, adds and removes the subscriptions of topics.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            SubscriptionCommands.ListSubscriptions.class,
            SubscriptionCommands.Subscribe.class,
            SubscriptionCommands.Unsubscribe.class
        })
final class SubscriptionCommands {

    private SubscriptionCommands() {}

    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = "Lists the subscriptions with their filters. The command queues shows their messages.")
    static final class ListSubscriptions extends DatabaseCommand {

        private static final List<String> HEAD = List.of("TOPIC", "SUBSCRIPTION", "STATE", "SINCE", "FILTER");

        @Parameters(arity = "0..1", paramLabel = "TOPIC", description = "Only this topic. Default: all.")
        private @Nullable String topic;

        @Override
        int run(Output output) {
            Subscriptions subscriptions = engine(openStore()).subscriptions();
            List<Subscription> found = topic == null ? subscriptions.list() : subscriptions.list(topic);
            List<List<String>> rows = new ArrayList<>();
            List<Map<String, Object>> fields = new ArrayList<>();
            for (Subscription each : found) {
                rows.add(List.of(
                        each.topic(),
                        each.name(),
                        each.draining() ? "draining" : "active",
                        each.since().toString(),
                        each.filter().isEmpty() ? "-" : each.filter()));
                fields.add(Views.subscription(each));
            }
            output.table(HEAD, rows);
            output.json(Map.of("subscriptions", fields));
            return ExitCode.OK;
        }
    }

    @Command(
            name = "subscribe",
            mixinStandardHelpOptions = true,
            description = {
                "Adds a subscription. It gets what is published from then on, whether or not a listener runs.",
                "With --from-archive it starts with what another subscription has got, done or not. Its queue is paused until all is copied."
            })
    static final class Subscribe extends DatabaseCommand {

        @Parameters(index = "0", paramLabel = "TOPIC", description = "The topic.")
        private String topic = "";

        @Parameters(index = "1", paramLabel = "SUBSCRIPTION", description = "The name of the subscription.")
        private String name = "";

        @Option(
                names = "--filter",
                paramLabel = "FILTER",
                description =
                        "Which messages it gets, such as \"type = 'OrderPlaced' and region in ('eu', 'us')\". Default: all.")
        private String filter = "";

        @ArgGroup(exclusive = false)
        private @Nullable Start start;

        /** The options of a subscription that starts with earlier messages. */
        static final class Start {

            @Option(
                    names = "--from-archive",
                    required = true,
                    paramLabel = "SUBSCRIPTION",
                    description =
                            "Copies the messages of this subscription of the topic, whose queue keeps done messages in its archive.")
            private String source = "";

            @Option(
                    names = "--since",
                    required = true,
                    paramLabel = "TIME",
                    description =
                            "Only messages published since this time: 2h (ago), or 2031-05-01T12:00:00Z, by the database's clock.")
            private String since = "";

            @ArgGroup(exclusive = false, multiplicity = "1")
            private AuditInfo auditInfo = new AuditInfo();
        }

        @Override
        int run(Output output) {
            SharedOptions.checked(() -> InputChecks.subscriptionQueue(topic, name));
            SharedOptions.checked(() -> SubscriptionFilter.parse(filter));
            if (start != null) {
                Operator operator = start.auditInfo.operator();
                Store store = openStore();
                FromArchive from = Subscriptions.fromArchive(start.source, SharedOptions.time(start.since, store));
                long copied = engine(store).subscriptions().subscribe(topic, name, filter, from, operator);
                output.line("subscription '" + name + "' of topic '" + topic + "' is added, with " + copied
                        + " earlier messages");
                Map<String, Object> fields = fields(topic, name, true);
                fields.put("copied", copied);
                output.json(fields);
                return ExitCode.OK;
            }
            boolean changed = engine(openStore()).subscriptions().subscribe(topic, name, filter);
            report(output, topic, name, changed, changed ? "is added" : "exists already");
            return ExitCode.OK;
        }
    }

    @Command(
            name = "unsubscribe",
            mixinStandardHelpOptions = true,
            description = {
                "Removes a subscription. Remove its listeners first: their start adds it again.",
                "DISCARD deletes the messages that wait or are scheduled, and needs --yes."
            })
    static final class Unsubscribe extends DatabaseCommand {

        @Parameters(index = "0", paramLabel = "TOPIC", description = "The topic.")
        private String topic = "";

        @Parameters(index = "1", paramLabel = "SUBSCRIPTION", description = "The name of the subscription.")
        private String name = "";

        @Option(
                names = "--remaining",
                required = true,
                paramLabel = "KEEP|DRAIN|DISCARD",
                description =
                        "What happens to the messages that it has: KEEP and DRAIN let listeners run them, DRAIN lists the subscription until they are done.")
        private Remaining remaining = Remaining.KEEP;

        @Option(names = "--yes", description = "Confirms DISCARD.")
        private boolean yes;

        @Mixin
        private final AuditInfo auditInfo = new AuditInfo();

        @Override
        int run(Output output) {
            Operator operator = auditInfo.operator();
            SharedOptions.checked(() -> InputChecks.subscriptionQueue(topic, name));
            if (remaining == Remaining.DISCARD && !yes) {
                throw new CommandException(
                        ExitCode.REFUSED,
                        "the messages of '" + InputChecks.subscriptionQueue(topic, name)
                                + "' that wait or are scheduled would be deleted: look at them with acidq messages, then add --yes");
            }
            boolean changed = engine(openStore()).subscriptions().unsubscribe(topic, name, remaining, operator);
            report(
                    output,
                    topic,
                    name,
                    changed,
                    !changed
                            ? "is not there, or is draining already"
                            : remaining == Remaining.DRAIN ? "is draining" : "is removed");
            return ExitCode.OK;
        }
    }

    private static void report(Output output, String topic, String name, boolean changed, String result) {
        output.line("subscription '" + name + "' of topic '" + topic + "' " + result);
        output.json(fields(topic, name, changed));
    }

    private static Map<String, Object> fields(String topic, String name, boolean changed) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("topic", topic);
        fields.put("subscription", name);
        fields.put("changed", changed);
        return fields;
    }
}
