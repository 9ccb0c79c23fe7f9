package io.acidq.cli;

import io.acidq.QueueMisuseException;
import io.acidq.TransientQueueException;
import io.acidq.cli.Acidq.ExitCode;
import io.acidq.mybatis.Schema;
import io.acidq.mybatis.session.Vendor;
import java.io.Console;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The commands for the tables themselves. They do not require that the tables exist or are of this version. */
@Command(
        name = "schema",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Prints, creates and compares the tables.",
        subcommands = {SchemaCommands.Print.class, SchemaCommands.Apply.class, SchemaCommands.CheckSchema.class})
final class SchemaCommands {

    @Command(
            name = "print",
            mixinStandardHelpOptions = true,
            description =
                    "Prints the statements that create the tables: for the server, or with --dialect for a dialect.")
    static final class Print extends DatabaseCommand {

        @Option(
                names = "--dialect",
                paramLabel = "NAME",
                description = "${COMPLETION-CANDIDATES}. Does not connect to a database.")
        private @Nullable Vendor dialect;

        @Override
        int run(Output output) {
            Vendor vendor = dialect == null ? vendorOfServer() : dialect;
            String ddl = Schema.ddl(vendor);
            output.line(ddl.stripTrailing());
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("dialect", vendor.name());
            fields.put("version", Schema.VERSION);
            fields.put("ddl", ddl);
            output.json(fields);
            return ExitCode.OK;
        }

        /** The URL need not name a database here. */
        private Vendor vendorOfServer() {
            try (Connection c = connection.unverifiedDataSource().getConnection()) {
                return Vendor.of(c);
            } catch (SQLException e) {
                throw new TransientQueueException("the database does not answer: " + e.getMessage(), e);
            }
        }
    }

    @Command(
            name = "apply",
            mixinStandardHelpOptions = true,
            description =
                    "Creates the missing tables, then compares all tables. Does not change existing tables. Needs a migrator's privileges.")
    static final class Apply extends DatabaseCommand {

        @Option(names = "--yes", description = "Does not ask for confirmation.")
        private boolean yes;

        @Override
        int run(Output output) {
            DataSource database = connection.dataSource();
            if (!yes && !isConfirmed(System.console())) {
                throw new CommandException(ExitCode.REFUSED, "nothing was created: answer y when asked, or add --yes");
            }
            Schema.create(database);
            Schema.check(database);
            output.line("the tables of version " + Schema.VERSION + " exist");
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("version", Schema.VERSION);
            fields.put("applied", true);
            output.json(fields);
            return ExitCode.OK;
        }

        private static boolean isConfirmed(@Nullable Console console) {
            return console != null
                    && "y".equalsIgnoreCase(console.readLine("Create the missing tables of AcidQ? [y/N] "));
        }
    }

    @Command(
            name = "check",
            mixinStandardHelpOptions = true,
            description =
                    "Compares the tables with those of this version. If they differ, the exit code is 1 and the output says how to fix them.")
    static final class CheckSchema extends DatabaseCommand {

        @Override
        int run(Output output) {
            String differences = "";
            try {
                Schema.check(connection.dataSource());
                output.line("the tables match version " + Schema.VERSION);
            } catch (QueueMisuseException e) {
                differences = String.valueOf(e.getMessage());
                output.line(TerminalText.lines(differences));
            }
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("version", Schema.VERSION);
            fields.put("fits", differences.isEmpty());
            fields.put("differences", differences);
            output.json(fields);
            return differences.isEmpty() ? ExitCode.OK : ExitCode.REFUSED;
        }
    }
}
