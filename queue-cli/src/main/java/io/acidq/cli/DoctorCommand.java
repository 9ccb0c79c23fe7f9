package io.acidq.cli;

import io.acidq.Plural;
import io.acidq.cli.Acidq.ExitCode;
import io.acidq.config.EngineConfig;
import io.acidq.doctor.Check;
import io.acidq.doctor.Doctor;
import io.acidq.doctor.DoctorOptions;
import io.acidq.doctor.Report;
import io.acidq.doctor.Report.Finding;
import io.acidq.doctor.Report.Finding.Level;
import io.acidq.mybatis.MyBatisStore;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command that checks a database. It does not require that the tables exist or are of this version. */
@Command(
        name = "doctor",
        mixinStandardHelpOptions = true,
        description =
                "Checks tables, server, driver options, nodes and listeners. The exit code is 1 if there is a problem.")
final class DoctorCommand extends DatabaseCommand {

    @Option(
            names = "--pool-size",
            paramLabel = "N",
            description =
                    "The size of the application's connection pool. The doctor compares it with what the workers need.")
    private @Nullable Integer poolSize;

    @Option(
            names = "--max-payload",
            paramLabel = "BYTES",
            description = "The application's acidq.max-payload-size in bytes. Default: 1 MiB.")
    private int maxPayload = EngineConfig.defaults().maxPayloadBytes();

    @Option(
            names = "--long-transaction",
            paramLabel = "TIME",
            converter = SharedOptions.DurationConverter.class,
            description = "Reports transactions that are open for longer, such as 60s or 5m. Default: 60s.")
    private Duration longTransaction = Duration.ofMinutes(1);

    @Option(
            names = "--watch",
            paramLabel = "TIME",
            converter = SharedOptions.DurationConverter.class,
            description =
                    "How long the doctor waits for a heartbeat of each node; more than acidq.heartbeat-interval. Default: 8s.")
    private Duration watch = Duration.ofSeconds(8);

    @Override
    int run(Output output) {
        DoctorOptions options = SharedOptions.checked(this::options);
        Report report = new Doctor(MyBatisStore.over(connection.dataSource()), options).examine();
        List<Finding> connectionFindings = report.of(Check.CONNECTION);
        if (connectionFindings.get(0).level() == Level.PROBLEM) {
            throw new CommandException(
                    ExitCode.UNREACHABLE, connectionFindings.get(0).found());
        }
        report.findings().forEach(f -> show(f, output));
        output.line(summary(report));
        output.json(report.toFields());
        return report.worst() == Level.PROBLEM ? ExitCode.REFUSED : ExitCode.OK;
    }

    private DoctorOptions options() {
        DoctorOptions options = DoctorOptions.of(Clock.systemUTC())
                .withMaxPayloadBytes(maxPayload)
                .withLongTransaction(longTransaction)
                .withWatchTime(watch);
        Integer size = poolSize;
        return size == null ? options : options.withPoolSize(size);
    }

    private static void show(Finding finding, Output output) {
        output.line("%-8s %-13s %s"
                .formatted(
                        finding.level(),
                        finding.check(),
                        TerminalText.lines(finding.found()).strip()));
        if (!finding.advice().isEmpty()) {
            output.line(" ".repeat(23) + "-> "
                    + TerminalText.lines(finding.advice()).strip());
        }
    }

    private static String summary(Report report) {
        return Plural.of(report.at(Level.PROBLEM).size(), "problem") + ", "
                + Plural.of(report.at(Level.WARNING).size(), "warning");
    }
}
