package io.acidq.doctor;

import io.acidq.doctor.Doctor.FindingCollector;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The check of the driver's options in the JDBC URL. Findings never contain values, because a value may be a password. */
final class DriverOptionsCheck {

    private static final List<String> SESSION_SETTINGS = List.of(
            "autocommit",
            "isolation",
            "innodb_lock_wait_timeout",
            "sql_mode",
            "time_zone",
            "completion_type",
            "sql_safe_updates",
            "sql_select_limit",
            "max_join_size",
            "max_execution_time",
            "max_statement_time",
            "read_only",
            "unique_checks");

    private static final Pattern HOST_OPTION = Pattern.compile("[(,]\\s*(\\w+)\\s*=\\s*([^,)]*)");

    private DriverOptionsCheck() {}

    static void run(String url, FindingCollector findings) {
        if (!url.startsWith("jdbc:mysql:") && !url.startsWith("jdbc:mariadb:")) {
            findings.ok("the options of this driver are not checked");
            return;
        }
        Map<String, String> options = parse(url);
        checkAddress(url, findings);
        checkHarmfulOptions(options, findings);
        if (!hasTimeout(options, "sockettimeout")) {
            findings.warning(
                    "socketTimeout is not set: when the network drops packets silently, a handler and its worker wait forever",
                    "set it to more than the duration of the longest statement, for example socketTimeout=60000");
        }
        if (url.startsWith("jdbc:mysql:") && !hasTimeout(options, "connecttimeout")) {
            findings.warning(
                    "connectTimeout is not set: an attempt to connect to a host that does not answer lasts until the operating system ends it",
                    "set it, for example connectTimeout=5000");
        }
        findings.okIfNothing("the URL has no harmful options");
    }

    private static void checkAddress(String url, FindingCollector findings) {
        String lower = url.toLowerCase(Locale.ROOT);
        if (lower.startsWith("jdbc:mysql:loadbalance:") || lower.startsWith("jdbc:mariadb:loadbalance:")) {
            findings.warning(
                    "the URL spreads connections over several servers: in a cluster, each server sees its own commits earlier than those of others",
                    "use a URL with only the server that gets the writes");
        }
        if (lower.startsWith("jdbc:mysql:replication:") || lower.startsWith("jdbc:mariadb:replication:")) {
            findings.warning(
                    "the URL sends read-only transactions to replicas: they may read old data, and cannot enqueue messages",
                    "give AcidQ a DataSource that connects to the source only");
        }
    }

    private static void checkHarmfulOptions(Map<String, String> options, FindingCollector findings) {
        for (String name : List.of("autoReconnect", "autoReconnectForPools", "transactionReplay")) {
            if (isTrue(options, name)) {
                findings.problem(
                        name
                                + "=true: a connection that is lost in a transaction is replaced silently, so that the rest of the transaction commits without its beginning",
                        "remove " + name + " from the URL: the pool replaces connections");
            }
        }
        warnIfTrue(
                options,
                "useLocalTransactionState",
                "the driver omits COMMIT and ROLLBACK when it assumes that nothing was changed",
                findings);
        warnIfTrue(options, "allowMultiQueries", "it makes SQL injection easier, and AcidQ does not need it", findings);
        warnIfTrue(
                options,
                "useServerPrepStmts",
                "claims and bulk inserts have varying texts, so most statements are prepared for a single use",
                findings);
        String session = options.getOrDefault("sessionvariables", "").toLowerCase(Locale.ROOT);
        SESSION_SETTINGS.stream()
                .filter(session::contains)
                .forEach(name -> findings.warning(
                        "sessionVariables sets " + name + " for every connection, also for those of handlers",
                        "check that handlers work with it; AcidQ sets what it needs on its own connections only"));
    }

    private static void warnIfTrue(Map<String, String> options, String name, String harm, FindingCollector findings) {
        if (isTrue(options, name)) {
            findings.warning(name + "=true: " + harm, "remove it from the URL");
        }
    }

    /** Returns the options by name in lower case, because drivers ignore the case, including those of a single host in parentheses. */
    private static Map<String, String> parse(String url) {
        Map<String, String> options = new TreeMap<>();
        int question = url.indexOf('?');
        String address = question < 0 ? url : url.substring(0, question);
        Matcher hostOptions = HOST_OPTION.matcher(address);
        while (hostOptions.find()) {
            options.put(hostOptions.group(1).toLowerCase(Locale.ROOT), hostOptions.group(2));
        }
        if (question >= 0) {
            for (String pair : url.substring(question + 1).split("&", -1)) {
                String[] parts = pair.split("=", 2);
                options.put(parts[0].strip().toLowerCase(Locale.ROOT), parts.length == 2 ? parts[1] : "true");
            }
        }
        return options;
    }

    private static boolean isTrue(Map<String, String> options, String name) {
        String value = options.getOrDefault(name.toLowerCase(Locale.ROOT), "");
        return value.equalsIgnoreCase("true") || value.equalsIgnoreCase("yes") || value.equals("1");
    }

    private static boolean hasTimeout(Map<String, String> options, String name) {
        return !options.getOrDefault(name, "0").equals("0");
    }
}
