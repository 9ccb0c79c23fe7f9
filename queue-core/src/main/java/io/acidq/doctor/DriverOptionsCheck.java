package io.acidq.doctor;

import io.acidq.store.ServerStore.SessionInfo;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Options of the driver in the JDBC URL. Values are not told: a password may be among them. */
record DriverOptionsCheck(SessionInfo session) implements DoctorCheck {

    private static final List<String> SESSION_SETTINGS =
            List.of("autocommit", "isolation", "innodb_lock_wait_timeout", "sql_mode", "time_zone", "completion_type");

    private static final Pattern OF_HOST = Pattern.compile("[(,]\\s*(\\w+)\\s*=\\s*([^,)]*)");

    @Override
    public void run(FindingCollector findings) {
        String url = session.url();
        if (!url.startsWith("jdbc:mysql:") && !url.startsWith("jdbc:mariadb:")) {
            findings.ok("the driver's options are not looked at for this database");
            return;
        }
        Map<String, String> options = options(url);
        address(url, findings);
        unsafe(options, findings);
        wasteful(options, findings);
        if (!isSet(options, "sockettimeout")) {
            findings.warning(
                    "socketTimeout is not set: when the network drops packets without a word, a handler waits for ever, and so does its worker",
                    "set it to more than the longest statement takes, such as socketTimeout=60000");
        }
        if (url.startsWith("jdbc:mysql:") && !isSet(options, "connecttimeout")) {
            findings.warning(
                    "connectTimeout is not set: opening a connection to a host that does not answer takes as long as the system lets it",
                    "set it, such as connectTimeout=5000");
        }
        findings.okIfNothing("the options in the URL do no harm");
    }

    private static void address(String url, FindingCollector findings) {
        String lower = url.toLowerCase(Locale.ROOT);
        if (lower.startsWith("jdbc:mysql:loadbalance:") || lower.startsWith("jdbc:mariadb:loadbalance:")) {
            findings.warning(
                    "the URL spreads connections over several servers: in a cluster, each sees its own commits first",
                    "name the one server that is written to");
        }
        if (lower.startsWith("jdbc:mysql:replication:") || lower.startsWith("jdbc:mariadb:replication:")) {
            findings.warning(
                    "the URL sends read-only transactions to replicas: what a producer reads there may be older than what it writes, and nothing can be enqueued in them",
                    "give AcidQ a DataSource that leads to the source alone");
        }
    }

    private static void unsafe(Map<String, String> options, FindingCollector findings) {
        for (String name : List.of("autoReconnect", "autoReconnectForPools", "transactionReplay")) {
            if (isTrue(options, name)) {
                findings.problem(
                        name
                                + "=true: a connection that is lost inside a transaction is replaced without a word, and what follows commits without what went before",
                        "remove " + name + " from the URL: the pool replaces connections");
            }
        }
        if (isTrue(options, "useLocalTransactionState")) {
            findings.warning(
                    "useLocalTransactionState=true: the driver leaves out COMMIT and ROLLBACK when it believes that nothing was changed",
                    "remove it from the URL");
        }
        if (isTrue(options, "allowMultiQueries")) {
            findings.warning(
                    "allowMultiQueries=true: AcidQ does not need it, and a second statement can hide behind a first where SQL is put together from input",
                    "remove it from the URL unless your own code needs it");
        }
        String session = options.getOrDefault("sessionvariables", "").toLowerCase(Locale.ROOT);
        SESSION_SETTINGS.stream()
                .filter(session::contains)
                .forEach(
                        name -> findings.warning(
                                "sessionVariables sets " + name + " for every connection, those of handlers too",
                                "see that handlers are to have it: AcidQ sets what it needs on the connections of its own only"));
    }

    private static void wasteful(Map<String, String> options, FindingCollector findings) {
        if (isTrue(options, "useServerPrepStmts")) {
            findings.warning(
                    "useServerPrepStmts=true: claims and inserts of many rows have another text each time, and are prepared for one use each",
                    "remove it from the URL");
        }
    }

    /** By their names in lower case: drivers do not mind the case. Those of a single host, in parentheses, too. */
    static Map<String, String> options(String url) {
        Map<String, String> options = new TreeMap<>();
        int question = url.indexOf('?');
        String address = question < 0 ? url : url.substring(0, question);
        Matcher ofHosts = OF_HOST.matcher(address);
        while (ofHosts.find()) {
            options.put(ofHosts.group(1).toLowerCase(Locale.ROOT), ofHosts.group(2));
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

    private static boolean isSet(Map<String, String> options, String name) {
        return !options.getOrDefault(name, "0").equals("0");
    }
}
