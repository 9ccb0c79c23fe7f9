package io.acidq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.cli.Shell.Result;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.HelpCommand;
import tools.jackson.databind.json.JsonMapper;

/** Output without a database: the usage, and errors of the command line. */
class UsageTest {

    private static final Path PAGE = Path.of("..", "docs", "en", "command-line.md");
    private static final Pattern USAGE = Pattern.compile(
            "<!-- usage: (?<name>[a-z ]+) -->\n```text\n(?<text>.*?)```\n<!-- /usage -->", Pattern.DOTALL);

    /** With {@code -Ddocs.write=true} the page is rewritten. */
    @Test
    void isQuotedInTheDocumentation() throws IOException {
        String page = Files.readString(PAGE);
        Map<String, String> usages = new LinkedHashMap<>();
        collect(
                Acidq.commandLine(new PrintWriter(new StringWriter()), new PrintWriter(new StringWriter()), List.of()),
                usages);
        if (Boolean.getBoolean("docs.write")) {
            page = USAGE.matcher(page)
                    .replaceAll(m -> Matcher.quoteReplacement("<!-- usage: " + m.group(1) + " -->\n```text\n"
                            + usages.getOrDefault(m.group(1), "") + "```\n<!-- /usage -->"));
            Files.writeString(PAGE, page);
        }
        Map<String, String> documented = new LinkedHashMap<>();
        USAGE.matcher(page).results().forEach(m -> documented.put(m.group(1), m.group(2)));
        assertThat(documented).as("run with -Ddocs.write=true").isEqualTo(usages);
    }

    private static void collect(CommandLine command, Map<String, String> usages) {
        if (command.getCommand() instanceof HelpCommand) {
            return;
        }
        String text =
                command.getUsageMessage().lines().map(String::stripTrailing).reduce("", (a, b) -> a + b + "\n");
        usages.put(command.getCommandSpec().qualifiedName(), text);
        command.getSubcommands().values().forEach(sub -> collect(sub, usages));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                " | Missing required subcommand",
                "nonsense | Unmatched argument",
                "queues --no-such-option | Unknown option",
                "--url=jdbc:mysql://h/d queues | options follow their command",
                "queues --limit many | Invalid value",
                "why not-an-id | expected queue~lane~uid",
                "why | Missing required parameter",
                "dead replay orders~1 --reason=x | expected queue~lane~uid",
                "dead release orders --reason=x --url jdbc:mysql://h/d | --ordering-key",
                "pause orders --url jdbc:mysql://h/d | --reason",
                "doctor --watch long --url jdbc:mysql://h/d | is not a duration such as",
                "dead | Missing required subcommand",
                "schema print --dialect oracle | Invalid value",
                "queues | no database is given: add --url",
                "queues --url mysql://localhost/db | not a JDBC URL",
                "queues --limit=0 | is not a number from 1 to 10000",
                "doctor --pool-size=0 --url jdbc:mysql://h/d | pool",
                "doctor --long-transaction=0s --url jdbc:mysql://h/d | long",
                "messages --url jdbc:postgresql://localhost/db | not a JDBC URL",
                "dashboard --listen 8086 | must be a host and a port",
                "dashboard --listen 0.0.0.0:8086 | give --users=FILE, or --trusted-proxy=ADDRESSES with --user-header=NAME",
                "dashboard --listen 0.0.0.0:8086 --users u | passwords would travel unencrypted: give --tls=KEYSTORE",
                "dashboard --user-header X-User | everybody could name a user",
                "dashboard --trusted-proxy 10.1.0.7 | is given without users",
                "dashboard --users u --user-header X-User --trusted-proxy 10.1.0.7 | leave one out",
                "dashboard --users u --level admin | the users file says the level",
                "dashboard --users no-such-file --url jdbc:mysql://h/d | cannot read the users file",
                "dashboard --tls no-such-file --users u | cannot use the key store no-such-file",
                "dashboard --tls-password x | without --tls",
                "dashboard --user-header U --trusted-proxy 10.1.0.0/33 --url jdbc:mysql://h/d | not a range of addresses",
                "dashboard --user-header U --trusted-proxy 10.1.0.7 | no database is given: add --url",
                "dashboard --user-header U --trusted-proxy 10.1.0.7 --url jdbc:mysql://h/d --url jdbc:mysql://h/e | give each a --name",
                "dashboard --user-header U --trusted-proxy 10.1.0.7 --name a --url jdbc:mysql://h/d --name a --url jdbc:mysql://h/e | have the name",
                "dashboard --user-header U --trusted-proxy 10.1.0.7 --name a/b --url jdbc:mysql://h/d | 1 to 50 letters",
                "dashboard --user-header U --trusted-proxy 10.1.0.7 --config no-such-file | cannot read the file of --config",
                "dashboard --user-header U --trusted-proxy 10.1.0.7 --config x --url jdbc:mysql://h/d | leave one out",
            })
    void refusesAWrongCommandLineInOneLine(String command, String message) {
        String[] arguments = command == null || command.isBlank()
                ? new String[0]
                : command.strip().split(" ");
        Result result = Shell.bare(arguments);
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.err()).startsWith("acidq: ").contains(message.strip()).hasLineCount(1);
        assertThat(result.out()).isEmpty();
    }

    @Test
    void reportsAnErrorAsJsonWithTheOptionJson() {
        Result result = Shell.bare("queues", "--json", "--limit", "many");
        assertThat(result.code()).isEqualTo(2);
        assertThat(new JsonMapper().readTree(result.err()).get("exitCode").asInt())
                .isEqualTo(2);
    }

    @Test
    void showsItsUsageWithTheOptionHelp() {
        Result result = Shell.bare("--help");
        assertThat(result.code()).isZero();
        assertThat(result.out())
                .contains("Exit codes:", "doctor", "queues", "messages", "why", "dead", "pause", "resume", "schema");
    }

    @Test
    void printsTablesWithoutADatabase() {
        assertThat(Shell.bare("schema", "print", "--dialect", "h2").out()).contains("CREATE TABLE");
    }

    @Test
    void removesControlCharacters() {
        assertThat(TerminalText.shortened("a\u001b[2Jb\nc")).isEqualTo("a [2Jb; c");
        assertThat(TerminalText.lines("a\u001b\nb")).isEqualTo("a \nb");
    }
}
