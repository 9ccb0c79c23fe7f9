package io.acidq.testservers;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the mirrors from the apt sources of this machine, in both formats. */
final class AptSources {
    private static final Pattern CLASSIC =
            Pattern.compile("deb\\s+(\\[(?<options>[^]]*)]\\s*)?(?<uri>\\S+)\\s+(?<suite>\\S+)\\s+(?<components>.+)");
    private static final Pattern SIGNED_BY = Pattern.compile("signed-by=(?<key>/\\S+)");

    private static final Pattern BLANK_LINE = Pattern.compile("\n\\s*\n");
    private static final Pattern BLANKS = Pattern.compile("\\s+");

    private AptSources() {}

    /**
     * A mirror that may have Debian's packages.
     *
     * @param signedBy the file of the key, or empty for the keys that apt trusts anyway
     */
    record Mirror(String uri, String signedBy) {
        /** Returns the line of a sources.list for another suite of the same mirror. */
        String line(String suite) {
            return "deb " + (signedBy.isEmpty() ? "" : "[signed-by=" + signedBy + "] ") + uri + " " + suite + " main";
        }
    }

    /** Returns the mirrors with an address of Debian first, then the others, because a mirror can have any address. */
    static List<Mirror> mirrors(Path etcApt) throws IOException {
        List<Mirror> mirrors = new ArrayList<>();
        List<Path> files = new ArrayList<>(List.of(etcApt.resolve("sources.list")));
        Path parts = etcApt.resolve("sources.list.d");
        if (Files.isDirectory(parts)) {
            try (DirectoryStream<Path> found = Files.newDirectoryStream(parts, "*.{list,sources}")) {
                found.forEach(files::add);
            }
        }
        for (Path file : files) {
            if (Files.isReadable(file)) {
                String text = Files.readString(file);
                mirrors.addAll(file.toString().endsWith(".sources") ? deb822(text) : classic(text));
            }
        }
        return mirrors.stream()
                .distinct()
                .sorted(Comparator.comparing(mirror -> !mirror.uri().contains("debian")))
                .toList();
    }

    static List<Mirror> classic(String text) {
        List<Mirror> mirrors = new ArrayList<>();
        for (String line : text.lines().toList()) {
            Matcher entry = CLASSIC.matcher(line.strip());
            if (entry.matches() && isMain(entry.group("suite"), entry.group("components"))) {
                String options = entry.group("options");
                Matcher key = SIGNED_BY.matcher(options == null ? "" : options);
                mirrors.add(new Mirror(entry.group("uri"), key.find() ? key.group("key") : ""));
            }
        }
        return mirrors;
    }

    static List<Mirror> deb822(String text) {
        List<Mirror> mirrors = new ArrayList<>();
        for (String stanza : BLANK_LINE.splitAsStream(text).toList()) {
            Map<String, String> fields = fields(stanza);
            if (words(fields.getOrDefault("types", "")).contains("deb")
                    && !fields.getOrDefault("enabled", "yes").equals("no")
                    && isMain(fields.getOrDefault("suites", ""), fields.getOrDefault("components", ""))) {
                String key = fields.getOrDefault("signed-by", "");
                words(fields.getOrDefault("uris", ""))
                        .forEach(uri -> mirrors.add(new Mirror(uri, key.startsWith("/") ? key : "")));
            }
        }
        return mirrors;
    }

    private static boolean isMain(String suites, String components) {
        boolean onlySecurity = words(suites).stream().allMatch(suite -> suite.contains("-security"));
        return !onlySecurity && words(components).contains("main");
    }

    private static List<String> words(String text) {
        return BLANKS.splitAsStream(text).filter(word -> !word.isEmpty()).toList();
    }

    /** Returns the fields by lower-case name. A line that starts with a space continues the previous field. */
    private static Map<String, String> fields(String stanza) {
        Map<String, String> fields = new HashMap<>();
        String current = "";
        for (String line : stanza.lines().filter(each -> !each.startsWith("#")).toList()) {
            int colon = line.indexOf(':');
            if (!line.isEmpty() && Character.isWhitespace(line.charAt(0))) {
                fields.merge(current, line, (before, more) -> before + " " + more.strip());
            } else if (colon > 0) {
                current = line.substring(0, colon).toLowerCase(Locale.ROOT);
                fields.put(current, line.substring(colon + 1).strip());
            }
        }
        return fields;
    }
}
