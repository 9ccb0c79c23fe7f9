package io.acidq.docs;

import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Pieces of sources by reference. In a mapper the name is the id of a statement, which comes with its fragments put in; in DDL it is the
 * name of a table; elsewhere it names a region between the comments {@code snippet:name} and {@code /snippet}.
 */
final class Sources {

    private static final String MAPPERS = "queue-mybatis/src/main/resources/io/acidq/mybatis/";
    private static final Pattern INCLUDE = Pattern.compile(
            "<include refid=\"([\\w.]+)\"(?:/>|>\\s*<property name=\"(\\w+)\" value=\"([\\w.]+)\"/>\\s*</include>)");
    private static final Pattern LIST = Pattern.compile(
            "<foreach collection=\"[\\w.]+\" item=\"\\w+\"(?: open=\"([^\"]*)\")?(?: separator=\"([^\"]*)\")?(?: close=\"([^\"]*)\")?>\\s*(.*?)\\s*</foreach>",
            Pattern.DOTALL);

    private Sources() {}

    static String piece(String reference) {
        int hash = reference.lastIndexOf('#');
        String path = reference.substring(0, hash);
        String name = reference.substring(hash + 1);
        String text = Project.text(path);
        String piece = path.endsWith(".xml")
                ? statement(text, name)
                : path.endsWith("/grants.sql")
                        ? role(text, name)
                        : path.endsWith(".sql") ? table(text, name) : region(text, name);
        return dedented(piece);
    }

    private static String region(String text, String name) {
        return one(text, "\\n *(?://|#) snippet:" + name + "\\n(.*?\\n) *(?://|#) /snippet\\n", name);
    }

    private static String role(String text, String name) {
        return one(text + "\n", "-- role: " + name + "\\n(.*?\\n)\\n", name);
    }

    private static String table(String text, String name) {
        return one(text, "(CREATE TABLE IF NOT EXISTS " + name + " \\(.*?;\\n)", name);
    }

    private static String statement(String text, String id) {
        String body = element(text, id);
        body = INCLUDE.matcher(body).replaceAll(m -> Matcher.quoteReplacement(fragment(text, m)));
        body = LIST.matcher(body).replaceAll(m -> Matcher.quoteReplacement(list(m)));
        return body.replaceFirst("^\\n", "")
                        .replaceAll("\\s+$", "")
                        .replace("&lt;", "<")
                        .replace("&gt;", ">") + "\n";
    }

    /** Without databaseId: the variant of MySQL and MariaDB. */
    private static String element(String text, String id) {
        return one(
                text,
                "<(?:select|insert|update|delete|sql) id=\"" + id
                        + "\"(?![^>]*databaseId)[^>]*>(.*?)</(?:select|insert|update|delete|sql)>",
                id);
    }

    private static String fragment(String text, MatchResult include) {
        String refid = include.group(1);
        int dot = refid.lastIndexOf('.');
        String from = dot < 0 ? text : Project.text(MAPPERS + refid.replaceAll("^.*\\.(\\w+)\\.\\w+$", "$1.xml"));
        String raw = element(from, refid.substring(dot + 1));
        String body =
                raw.contains("<choose>") ? raw.stripTrailing() : raw.strip().replaceAll("\\s*\\n\\s*", " ");
        if (include.group(2) != null) {
            body = body.replace("${" + include.group(2) + "}", include.group(3));
        }
        String outer = from;
        return INCLUDE.matcher(body).replaceAll(m -> Matcher.quoteReplacement(fragment(outer, m)));
    }

    private static String list(MatchResult m) {
        return textOf(m.group(1)) + m.group(4) + textOf(m.group(2)) + " …" + textOf(m.group(3));
    }

    private static String textOf(String group) {
        return group == null ? "" : group;
    }

    private static String one(String text, String pattern, String name) {
        var found =
                Pattern.compile(pattern, Pattern.DOTALL).matcher(text).results().toList();
        if (found.size() != 1) {
            throw new IllegalStateException("'" + name + "' is there " + found.size() + " times");
        }
        return found.get(0).group(1);
    }

    private static String dedented(String piece) {
        int indent = piece.lines()
                .filter(l -> !l.isBlank())
                .mapToInt(l -> l.length() - l.stripLeading().length())
                .min()
                .orElse(0);
        return piece.lines()
                .map(l -> l.isBlank() ? "" : l.substring(indent).stripTrailing())
                .collect(Collectors.joining("\n", "", "\n"));
    }
}
