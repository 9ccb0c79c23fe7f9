package io.acidq.cli;

import io.acidq.config.EngineConfig;
import io.acidq.doctor.Check;
import io.acidq.doctor.Doctor;
import io.acidq.doctor.DoctorOptions;
import io.acidq.doctor.Finding;
import io.acidq.doctor.Level;
import io.acidq.doctor.Report;
import io.acidq.mybatis.MyBatisStore;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Examines the database, whatever state its tables are in. */
@Command(
        name = "doctor",
        mixinStandardHelpOptions = true,
        description =
                "Examines tables, server, driver options, nodes and listeners. Exit code 1 when there is a problem.")
final class DoctorCommand implements Callable<Integer> {

    @Mixin
    private final Login login = new Login();

    @Option(
            names = "--pool-size",
            paramLabel = "N",
            description = "The size of the application's connection pool, to be compared with what its workers need.")
    private @Nullable Integer poolSize;

    @Option(
            names = "--max-payload",
            paramLabel = "BYTES",
            description = "The application's acidq.max-payload-size in bytes. Default: 1 MiB.")
    private int maxPayload = EngineConfig.defaults().maxPayloadBytes();

    @Option(
            names = "--long-transaction",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Transactions open for longer are told, such as 60s or 5m. Default: 60s.")
    private Duration longTransaction = Duration.ofMinutes(1);

    @Option(
            names = "--watch",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "How long a node may be without a beat; more than acidq.heartbeat-interval. Default: 8s.")
    private Duration watch = Duration.ofSeconds(8);

    @Spec
    @SuppressWarnings("NullAway.Init") // by picocli, before anything is called
    private CommandSpec spec;

    @Override
    public Integer call() {
        DoctorOptions options = Arguments.checked(this::options);
        Report report = new Doctor(MyBatisStore.over(login.dataSource()), options).examine();
        Output output = new Output(spec.commandLine().getOut(), login.json);
        List<Finding> connection = report.of(Check.CONNECTION);
        if (connection.get(0).level() == Level.PROBLEM) {
            throw new RefusedException(ExitCode.UNREACHABLE, connection.get(0).found());
        }
        report.findings().forEach(f -> show(f, output));
        output.line(summary(report));
        output.json(fields(report));
        return report.worst() == Level.PROBLEM ? ExitCode.REFUSED : ExitCode.OK;
    }

    private DoctorOptions options() {
        DoctorOptions options = DoctorOptions.of(Clock.systemUTC())
                .withMaxPayloadBytes(maxPayload)
                .withLongTransaction(longTransaction)
                .withPatience(watch);
        Integer size = poolSize;
        return size == null ? options : options.withPoolSize(size);
    }

    private static void show(Finding finding, Output output) {
        output.line("%-8s %-13s %s"
                .formatted(
                        finding.level(),
                        finding.check(),
                        Text.lines(finding.found()).strip()));
        if (!finding.advice().isEmpty()) {
            output.line(" ".repeat(23) + "-> " + Text.lines(finding.advice()).strip());
        }
    }

    private static String summary(Report report) {
        return report.at(Level.PROBLEM).size() + " problems, "
                + report.at(Level.WARNING).size() + " warnings";
    }

    private static Map<String, Object> fields(Report report) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("worst", report.worst().name());
        fields.put(
                "findings",
                report.findings().stream().map(DoctorCommand::fields).toList());
        return fields;
    }

    private static Map<String, Object> fields(Finding finding) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("check", finding.check().toString());
        fields.put("level", finding.level().name());
        fields.put("found", finding.found());
        fields.put("advice", finding.advice());
        return fields;
    }
}
