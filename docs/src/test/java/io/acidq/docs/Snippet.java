package io.acidq.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A piece of source in a page, between {@code <!-- snippet: path#name -->} and {@code <!-- /snippet -->}.
 *
 * @param reference the file from the root of the project, {@code #}, and the name of the piece
 * @param code      what the page shows
 */
record Snippet(String reference, String code) {

    private static final Pattern BLOCK =
            Pattern.compile("(<!-- snippet: (\\S+) -->\\n+```\\w*\\n)(.*?)(```\\n+<!-- /snippet -->)", Pattern.DOTALL);
    private static final Pattern OPENING = Pattern.compile("<!-- snippet:");

    static List<Snippet> in(String page) {
        List<Snippet> found = new ArrayList<>();
        Matcher block = BLOCK.matcher(page);
        while (block.find()) {
            found.add(new Snippet(block.group(2), block.group(3)));
        }
        if (found.size() != OPENING.matcher(page).results().count()) {
            throw new IllegalStateException("a snippet mark without its fenced block, or without <!-- /snippet -->");
        }
        return found;
    }

    /** The page with each snippet as its source has it now. */
    static String refreshed(String page, UnaryOperator<String> source) {
        return BLOCK.matcher(page).replaceAll(block -> Matcher.quoteReplacement(withCode(block, source)));
    }

    private static String withCode(MatchResult block, UnaryOperator<String> source) {
        return block.group(1) + source.apply(block.group(2)) + block.group(4);
    }

    /** The page without its snippets. */
    static String without(String page) {
        return BLOCK.matcher(page).replaceAll("");
    }
}
