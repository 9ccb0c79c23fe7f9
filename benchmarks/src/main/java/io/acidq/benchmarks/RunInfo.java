package io.acidq.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Time, options, versions, server and machine of the measurement, without secrets. */
final class RunInfo {

    private static final List<String> SECRETS = List.of("--user", "--password");
    private static final String DEPENDENCIES = "dependencies.txt";
    private static final Pattern DEPENDENCY =
            Pattern.compile("\\s*([\\w.-]+:[\\w.-]+):jar:(?:[\\w.-]+:)?([\\w.-]+):\\w+.*");

    private RunInfo() {}

    static Map<String, Object> of(BenchmarkDatabase benchmarkDatabase, int runs, List<String> arguments)
            throws Exception {
        Map<String, Object> info = new LinkedHashMap<>();
        info.put("startedAt", Instant.now().toString());
        info.put("arguments", withoutSecrets(arguments));
        info.put("versions", versions());
        info.put("server", benchmarkDatabase.info());
        info.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        info.put("cores", Runtime.getRuntime().availableProcessors());
        info.put("heapMegabytes", Runtime.getRuntime().maxMemory() >> 20);
        info.put("java", System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"));
        info.put(
                "garbageCollectors",
                ManagementFactory.getGarbageCollectorMXBeans().stream()
                        .map(GarbageCollectorMXBean::getName)
                        .toList());
        info.put("runs", runs);
        return info;
    }

    /** Hides user and password, also in a URL. */
    static List<String> withoutSecrets(List<String> arguments) {
        List<String> shown = new ArrayList<>();
        for (String argument : arguments) {
            boolean isSecret = !shown.isEmpty() && SECRETS.contains(shown.get(shown.size() - 1));
            shown.add(isSecret ? "…" : withoutSecret(argument));
        }
        return shown;
    }

    private static String withoutSecret(String argument) {
        for (String option : SECRETS) {
            if (argument.startsWith(option + "=")) {
                return option + "=…";
            }
        }
        return argument.replaceAll("(?i)([?&](?:user|password)=)[^&]*", "$1…").replaceAll("//[^/@]*@", "//…@");
    }

    /** The versions of the candidates and of the libraries below them, from the list of dependencies that the build writes. */
    static Map<String, String> versions() throws IOException {
        Map<String, String> listed = dependencies();
        Map<String, String> versions = new LinkedHashMap<>();
        artifacts().forEach((name, artifact) -> {
            if (listed.containsKey(artifact)) {
                versions.put(name, listed.get(artifact));
            }
        });
        return versions;
    }

    private static Map<String, String> artifacts() {
        Map<String, String> artifacts = new LinkedHashMap<>();
        artifacts.put("acidq", "io.acidq:queue-core");
        artifacts.put("db-scheduler", "com.github.kagkarlsson:db-scheduler");
        artifacts.put("jobrunr", "org.jobrunr:jobrunr");
        artifacts.put("transaction-outbox", "com.gruelbox:transactionoutbox-core");
        artifacts.put("modulith", "org.springframework.modulith:spring-modulith-events-api");
        artifacts.put("namastack", "io.namastack:namastack-outbox-core");
        artifacts.put("spring-integration", "org.springframework.integration:spring-integration-jdbc");
        artifacts.put("mysql-connector-j", "com.mysql:mysql-connector-j");
        artifacts.put("mariadb-java-client", "org.mariadb.jdbc:mariadb-java-client");
        artifacts.put("HikariCP", "com.zaxxer:HikariCP");
        artifacts.put("mybatis", "org.mybatis:mybatis");
        artifacts.put("spring-framework", "org.springframework:spring-core");
        artifacts.put("spring-boot", "org.springframework.boot:spring-boot");
        return artifacts;
    }

    private static Map<String, String> dependencies() throws IOException {
        try (InputStream list = RunInfo.class.getResourceAsStream(DEPENDENCIES)) {
            return list == null
                    ? Map.of()
                    : readVersions(new BufferedReader(new InputStreamReader(list, StandardCharsets.UTF_8)).lines());
        }
    }

    /** Reads the output of {@code dependency:list}: versions by group and name. */
    static Map<String, String> readVersions(Stream<String> lines) {
        Map<String, String> versions = new LinkedHashMap<>();
        lines.map(DEPENDENCY::matcher)
                .filter(Matcher::matches)
                .forEach(line -> versions.put(line.group(1), line.group(2)));
        return versions;
    }
}
