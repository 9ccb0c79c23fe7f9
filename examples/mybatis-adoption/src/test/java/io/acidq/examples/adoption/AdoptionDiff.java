package io.acidq.examples.adoption;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The commit that the README shows, taken back: the files as they were before it, by their paths. */
final class AdoptionDiff {

    private static final Pattern DIFF = Pattern.compile("^```diff\\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern FILE = Pattern.compile("^--- a/(.+)\\n\\+\\+\\+ b/\\1\\n", Pattern.MULTILINE);
    private static final Pattern HUNK = Pattern.compile("^@@.*\\n", Pattern.MULTILINE);

    private AdoptionDiff() {}

    static Map<String, String> before() throws IOException {
        String diff = DIFF.matcher(Files.readString(Path.of("README.md")))
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.joining());
        List<String> paths = FILE.matcher(diff)
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();
        String[] changes = FILE.split(diff); // the first is what stands before the first file
        Map<String, String> before = new LinkedHashMap<>();
        for (int i = 0; i < paths.size(); i++) {
            before.put(paths.get(i), before(Path.of(paths.get(i)), HUNK.split(changes[i + 1])));
        }
        return before;
    }

    private static String before(Path file, String[] hunks) throws IOException {
        String text = Files.readString(file);
        for (String hunk : hunks) {
            if (hunk.isBlank()) {
                continue;
            }
            String now = side(hunk, "+");
            if (text.split(Pattern.quote(now), -1).length != 2) {
                throw new IllegalStateException(
                        "the README's diff does not lead to " + file + ", which should have once:\n" + now);
            }
            text = text.replace(now, side(hunk, "-"));
        }
        return text;
    }

    private static String side(String hunk, String mark) {
        return hunk.lines()
                .filter(line -> line.startsWith(" ") || line.startsWith(mark))
                .map(line -> line.substring(1) + "\n")
                .collect(Collectors.joining());
    }
}
