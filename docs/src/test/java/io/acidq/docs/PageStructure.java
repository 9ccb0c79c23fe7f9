package io.acidq.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What two pages have in common when one is a translation of the other.
 *
 * @param headings the levels of its headings
 * @param snippets the references of its snippets
 * @param blocks   its other fenced blocks, commands among them
 * @param tables   the columns of each row of its tables
 * @param links    the names of the files that it links to, sorted
 * @param images   the images that it shows
 * @param code     what it shows as code within its sentences and tables
 */
record PageStructure(
        List<Integer> headings,
        List<String> snippets,
        List<String> blocks,
        List<Integer> tables,
        List<String> links,
        List<String> images,
        Set<String> code) {

    private static final Pattern FENCED =
            Pattern.compile("^ *```\\w*\\n.*?^ *```$", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern HEADING = Pattern.compile("^(#+) ", Pattern.MULTILINE);
    private static final Pattern ROW = Pattern.compile("^\\|(.*)\\|$", Pattern.MULTILINE);
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern LINK = Pattern.compile("(!?)\\[[^\\]]*\\]\\(([^)#\\s]*)(?:#[^)]*)?\\)");

    static PageStructure of(String page) {
        String own = Snippet.without(page);
        String text = FENCED.matcher(own).replaceAll("");
        List<String> links = new ArrayList<>();
        List<String> images = new ArrayList<>();
        Matcher link = LINK.matcher(CODE.matcher(text).replaceAll(""));
        while (link.find()) {
            (link.group(1).isEmpty() ? links : images).add(name(link.group(2)));
        }
        links.sort(null);
        return new PageStructure(
                HEADING.matcher(text).results().map(h -> h.group(1).length()).toList(),
                Snippet.in(page).stream().map(Snippet::reference).toList(),
                FENCED.matcher(own).results().map(b -> b.group()).toList(),
                ROW.matcher(text)
                        .results()
                        .map(r -> r.group(1).split("(?<!\\\\)\\|", -1).length)
                        .toList(),
                links,
                images,
                new TreeSet<>(CODE.matcher(text)
                        .results()
                        .map(c -> c.group(1).replaceAll("\\s+", " "))
                        .toList()));
    }

    /** Without the folder, since a translation links to translations where there are some. */
    private static String name(String target) {
        return target.substring(target.lastIndexOf('/') + 1).replace("README.zh-CN.md", "README.md");
    }
}
