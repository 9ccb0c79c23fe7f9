package io.acidq.docs;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A Chinese page and the English one that it is a translation of.
 *
 * @param page    the Chinese page
 * @param english the page that it says it is of
 * @param sha256  of the English text that it says it was compared with last
 */
record Translation(Path page, Path english, String sha256) {

    private static final Pattern MARK = Pattern.compile("^<!-- of (\\S+) sha256:([0-9a-f]{64}) -->\\n");

    static boolean isOne(Path page) {
        return page.endsWith("README.zh-CN.md") || page.getParent().endsWith("docs/zh");
    }

    static Translation of(Path page, String text) {
        Matcher mark = MARK.matcher(text);
        if (!mark.find()) {
            throw new IllegalStateException(
                    Project.ROOT.relativize(page)
                            + " must begin with the line <!-- of docs/en/page.md sha256:… -->, where … may be 64 zeros at first");
        }
        return new Translation(page, Project.ROOT.resolve(mark.group(1)), mark.group(2));
    }

    /** Under which name the English page must be found. */
    Path expected() {
        return page.endsWith("README.zh-CN.md")
                ? Project.ROOT.resolve("README.md")
                : Project.ROOT.resolve("docs/en").resolve(page.getFileName());
    }

    /** The first line of a translation that has been compared with this English text. */
    String mark(String englishText) {
        return "<!-- of " + Project.ROOT.relativize(english) + " sha256:" + hash(englishText) + " -->\n";
    }

    static String marked(String text, String mark) {
        return MARK.matcher(text).replaceFirst(Matcher.quoteReplacement(mark));
    }

    /** Of what people have written: snippets are kept up to date by their own test. */
    static String hash(String text) {
        String prose =
                Snippet.in(text).stream().map(Snippet::code).reduce(text, (rest, code) -> rest.replace(code, ""));
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(prose.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    static List<Path> pages() {
        return Project.pages().stream().filter(Translation::isOne).toList();
    }
}
