package io.acidq.docs;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Relative links of a page that lead nowhere, to a file or to a heading in it. */
final class Links {

    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("^#+ (.+)$", Pattern.MULTILINE);
    private static final Pattern FENCED = Pattern.compile("^```.*?^```$", Pattern.DOTALL | Pattern.MULTILINE);

    private Links() {}

    static List<String> dead(Path page, String text) {
        List<String> dead = new ArrayList<>();
        Matcher link = LINK.matcher(FENCED.matcher(text).replaceAll(""));
        while (link.find()) {
            if (!link.group(1).matches("https?://.*|mailto:.*") && !leads(page, text, link.group(1))) {
                dead.add(link.group(1));
            }
        }
        return dead;
    }

    private static boolean leads(Path page, String text, String link) {
        int hash = link.indexOf('#');
        String path = hash < 0 ? link : link.substring(0, hash);
        Path target = path.isEmpty() ? page : page.resolveSibling(path);
        if (!Files.exists(target)) {
            return false;
        }
        return hash < 0 || anchors(path.isEmpty() ? text : Project.text(target)).contains(link.substring(hash + 1));
    }

    /** As GitHub makes them of headings. */
    private static List<String> anchors(String text) {
        return HEADING.matcher(FENCED.matcher(text).replaceAll(""))
                .results()
                .map(h -> h.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .strip()
                        .replace(' ', '-'))
                .toList();
    }
}
