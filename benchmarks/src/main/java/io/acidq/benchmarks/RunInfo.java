package io.acidq.benchmarks;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Where, when, of what and with which options it was measured, as anybody may read it. */
final class RunInfo {

    private static final List<String> SECRETS = List.of("--user", "--password");

    private RunInfo() {}

    static Map<String, Object> of(BenchmarkDatabase benchmarkDatabase, int runs, List<String> arguments)
            throws Exception {
        Map<String, Object> about = new LinkedHashMap<>();
        about.put("startedAt", Instant.now().toString());
        about.put("arguments", withoutSecrets(arguments));
        about.put("versions", Versions.all());
        about.put("server", benchmarkDatabase.about());
        about.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        about.put("cores", Runtime.getRuntime().availableProcessors());
        about.put("heapMegabytes", Runtime.getRuntime().maxMemory() >> 20);
        about.put("java", System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"));
        about.put(
                "garbageCollectors",
                ManagementFactory.getGarbageCollectorMXBeans().stream()
                        .map(GarbageCollectorMXBean::getName)
                        .toList());
        about.put("runs", runs);
        return about;
    }

    /** The arguments without a user or password, also those in a URL. */
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
}
