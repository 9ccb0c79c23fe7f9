package io.acidq.cli;

import io.acidq.MessageId;
import io.acidq.Receipt;
import io.acidq.Receipts;
import io.acidq.admin.Views;
import io.acidq.cli.Acidq.ExitCode;
import io.acidq.cli.SharedOptions.MessageIdConverter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command that shows how a message has ended, and whether its enqueue was committed. */
@Command(
        name = "receipt",
        mixinStandardHelpOptions = true,
        description = {
            "Shows whether and how a message has ended, by its id or its message key, also after its end.",
            "A message that was enqueued without a receipt is found by its key only, and how it has ended is not known then."
        })
final class ReceiptCommand extends DatabaseCommand {

    private static final List<String> HEAD = List.of("ID", "STATE", "ENDED", "KEPT UNTIL", "RESULT");

    @Parameters(paramLabel = "QUEUE", arity = "0..1", description = "The queue; needed with --key.")
    private @Nullable String queue;

    @Option(
            names = "--id",
            paramLabel = "MESSAGE_ID",
            converter = MessageIdConverter.class,
            description = "The message, as queue~lane~uid.")
    private @Nullable MessageId id;

    @Option(names = "--key", paramLabel = "KEY", description = "The message that holds this message key.")
    private @Nullable String key;

    @Option(
            names = "--committed",
            description =
                    "With --id: only answers whether the enqueue was committed: YES, NO or NOT_TRACKED. Waits while the server has not decided.")
    private boolean committed;

    @Option(names = "--payload", description = "Shows the result, which may be confidential.")
    private boolean payload;

    @Override
    int run(Output output) {
        if ((id == null) == (key == null)) {
            throw new CommandException(ExitCode.USAGE, "give a message with --id, or a queue and --key");
        }
        if (committed && id == null) {
            throw new CommandException(
                    ExitCode.USAGE, "--committed needs --id: a key may belong to another message now");
        }
        Receipts receipts = engine(openStore()).receipts();
        if (committed && id != null) {
            Receipts.Committed answer = receipts.committed(id);
            output.line(answer.name());
            output.json(Map.of("id", id.toString(), "committed", answer.name()));
            return ExitCode.OK;
        }
        Receipt receipt = find(receipts);
        Optional<Receipt.EncodedResult> result = receipt.encodedResult();
        output.table(
                HEAD,
                List.of(List.of(
                        receipt.id().toString(),
                        receipt.state().name(),
                        receipt.endedAt().map(TerminalText::time).orElse("-"),
                        receipt.keptUntil().map(TerminalText::time).orElse("-"),
                        result.map(r -> TerminalText.shortened(r.type())).orElse("-"))));
        Map<String, Object> fields = Views.receipt(receipt);
        receipt.resultError()
                .ifPresent(error -> output.line("the result was not kept: " + TerminalText.oneLine(error)));
        if (payload && result.isPresent()) {
            fields.putAll(Output.contentFields(result.get().bytes(), Map.of()));
            output.content(receipt.id(), result.get().bytes(), Map.of());
        }
        output.json(fields);
        return ExitCode.OK;
    }

    private Receipt find(Receipts receipts) {
        MessageId wanted = id;
        if (wanted != null) {
            return receipts.find(wanted)
                    .orElseThrow(() -> new CommandException(
                            ExitCode.REFUSED,
                            "message " + wanted + " has no receipt: "
                                    + (wanted.hasReceipt()
                                            ? "it was removed, or the enqueue is not committed; --committed tells which"
                                            : "it was enqueued without one; run acidq why for its state")));
        }
        String name = queue;
        if (name == null || key == null) {
            throw new CommandException(ExitCode.USAGE, "--key needs a queue: acidq receipt QUEUE --key KEY");
        }
        return receipts.findByKey(name, key)
                .orElseThrow(() -> new CommandException(
                        ExitCode.REFUSED, "no message of queue '" + name + "' holds the key '" + key + "'"));
    }
}
