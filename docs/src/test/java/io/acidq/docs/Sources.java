package io.acidq.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Pieces of sources by reference. A path alone is the whole file. After {@code #} follows, in a mapper, the id of a statement, which comes
 * with its fragments put in; in DDL the name of a table; elsewhere the name of a region between the comments {@code snippet:name} and
 * {@code /snippet}. With {@code +imports} after it, a region is preceded by the imports of its file that it needs.
 */
final class Sources {

    private static final String WITH_IMPORTS = "+imports";
    private static final Pattern IMPORT = Pattern.compile("(?m)^import (?:static )?[\\w.]+;$");
    private static final Pattern MARK = Pattern.compile("(?m)^ *(?://|#) (?:snippet:[\\w-]+|/snippet)\\n");
    private static final String MAPPERS = "queue-mybatis/src/main/resources/io/acidq/mybatis/";
    private static final Pattern INCLUDE = Pattern.compile(
            "<include refid=\"([\\w.]+)\"(?:/>|>\\s*<property name=\"(\\w+)\" value=\"([\\w.,=]+)\"/>\\s*</include>)");
    private static final Pattern LIST = Pattern.compile(
            "<foreach collection=\"[\\w.]+\" item=\"\\w+\"(?: open=\"([^\"]*)\")?(?: separator=\"([^\"]*)\")?(?: close=\"([^\"]*)\")?>\\s*(.*?)\\s*</foreach>",
            Pattern.DOTALL);

    private Sources() {}

    static String piece(String reference) {
        int hash = reference.lastIndexOf('#');
        if (hash < 0) {
            return MARK.matcher(Project.text(reference)).replaceAll("");
        }
        if (reference.endsWith(WITH_IMPORTS)) {
            String region = reference.substring(0, reference.length() - WITH_IMPORTS.length());
            return imports(region) + "\n" + piece(region);
        }
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

    /** Returns the imports that a region of a Java file needs and does not show itself; empty if there are none. */
    static String imports(String region) {
        String piece = piece(region);
        String path = region.substring(0, region.lastIndexOf('#'));
        Map<Boolean, String> byStatic = Stream.concat(
                        IMPORT.matcher(Project.text(path)).results().map(MatchResult::group), ofItsPackage(path))
                .filter(line -> names(piece, line.replaceAll("^.*\\.|;$", "")) && !piece.contains(line))
                .sorted()
                .collect(Collectors.partitioningBy(
                        line -> line.startsWith("import static "),
                        Collectors.mapping(line -> line + "\n", Collectors.joining())));
        return Stream.of(byStatic.get(true), byStatic.get(false))
                .filter(imports -> !imports.isEmpty())
                .collect(Collectors.joining("\n"));
    }

    /** A test is often in the package of what it tests: these are published types that a reader has to import. */
    private static Stream<String> ofItsPackage(String path) {
        String folder = path.replaceFirst("^.*/src/\\w+/java/", "").replaceFirst("/[^/]+$", "");
        try (Stream<Path> modules = Files.list(Project.ROOT)) {
            return modules
                    .filter(module -> module.getFileName().toString().startsWith("queue-"))
                    .map(module ->
                            module.resolve("src/main/java").resolve(folder).toFile())
                    .flatMap(types -> Stream.ofNullable(types.list()).flatMap(Stream::of))
                    .filter(file -> file.endsWith(".java"))
                    .map(file -> "import " + folder.replace('/', '.') + "." + file.replace(".java", ";"))
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean names(String piece, String type) {
        return Pattern.compile("\\b" + type + "\\b").matcher(piece).find();
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
