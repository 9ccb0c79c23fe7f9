package io.acidq.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The versions of what takes part, from the list of dependencies that the build has put beside this class. */
final class Versions {

    private static final String LIST = "dependencies.txt";
    private static final Pattern LINE = Pattern.compile("\\s*([\\w.-]+:[\\w.-]+):jar:(?:[\\w.-]+:)?([\\w.-]+):\\w+.*");

    private Versions() {}

    /** By candidates' names, of AcidQ all in one; and of the libraries below several of them. What is not in the list is left out. */
    static Map<String, String> all() throws IOException {
        Map<String, String> listed = listed();
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

    private static Map<String, String> listed() throws IOException {
        try (InputStream list = Versions.class.getResourceAsStream(LIST)) {
            return list == null
                    ? Map.of()
                    : read(new BufferedReader(new InputStreamReader(list, StandardCharsets.UTF_8)).lines());
        }
    }

    /** As {@code dependency:list} writes them: versions by group and name. */
    static Map<String, String> read(Stream<String> lines) {
        Map<String, String> versions = new LinkedHashMap<>();
        lines.map(LINE::matcher).filter(Matcher::matches).forEach(line -> versions.put(line.group(1), line.group(2)));
        return versions;
    }
}
