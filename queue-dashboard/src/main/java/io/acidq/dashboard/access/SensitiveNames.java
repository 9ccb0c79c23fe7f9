package io.acidq.dashboard.access;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The names whose values are masked: properties of JSON, headers, and {@code name=value}, {@code name: value} or {@code "name":"value"} in texts. A name
 * matches when it contains one of the words, without regard to case and to {@code _}, {@code -} and {@code .}: {@code accessToken} matches {@code token}. Immutable.
 */
public final class SensitiveNames {

    /** The words that are used when the application sets none. */
    public static final List<String> DEFAULT_WORDS =
            List.of("password", "passwd", "secret", "token", "authorization", "cookie", "apiKey", "iban", "cardNumber");

    /** Headers whose values have spaces and semicolons. */
    private static final List<String> HEADERS = List.of("cookie", "authorization");

    private static final Set<String> SCHEMES = Set.of("bearer", "basic", "digest");
    private static final String AFTER_WORD = " \t\r\n,;&\"'(){}[]<>";

    private final List<String> words;

    /** @param words the words, at least one letter or digit each */
    public SensitiveNames(Collection<String> words) {
        this.words = words.stream().map(SensitiveNames::normalized).distinct().toList();
        if (this.words.contains("")) {
            throw new IllegalArgumentException(
                    "a word of the mask has no letter or digit, and would match every name: " + words);
        }
    }

    /** Whether the values of this name are masked. */
    public boolean matches(String name) {
        String normalized = normalized(name);
        return words.stream().anyMatch(normalized::contains);
    }

    private static String normalized(String name) {
        StringBuilder kept = new StringBuilder(name.length());
        name.toLowerCase(Locale.ROOT)
                .codePoints()
                .filter(c -> c != '_' && c != '-' && c != '.')
                .forEach(kept::appendCodePoint);
        return kept.toString().strip();
    }

    /**
     * Masks the values of sensitive names in a text, such as an error. Time grows with the length of the text only. What follows {@code Bearer} or {@code Basic} is
     * part of the value.
     */
    public String maskText(String text) {
        return new TextScanner(text).masked();
    }

    /** Scans a text once. A regular expression would backtrack, or overflow the stack, on errors of 100,000 characters. */
    private final class TextScanner {

        private final String text;
        private final StringBuilder out = new StringBuilder();
        private int at;

        TextScanner(String text) {
            this.text = text;
        }

        String masked() {
            while (at < text.length()) {
                if (isNamePart(text.charAt(at))) {
                    copyName();
                } else {
                    out.append(text.charAt(at++));
                }
            }
            return out.toString();
        }

        private void copyName() {
            int start = at;
            while (at < text.length() && isNamePart(text.charAt(at))) {
                at++;
            }
            out.append(text, start, at);
            int value = startOfValue();
            if (value < 0 || !matches(text.substring(start, at))) {
                return;
            }
            boolean headerWithSpaces = HEADERS.stream().anyMatch(normalized(text.substring(start, at))::contains);
            out.append(text, at, value);
            at = value;
            skipValue(headerWithSpaces);
            out.append(PayloadMask.MASKED);
        }

        /** Returns where the value of the name that ends here starts, -1 if it has none. */
        private int startOfValue() {
            int i = at;
            while (i < text.length() && (text.charAt(i) == '"' || text.charAt(i) == '\'' || text.charAt(i) == '\\')) {
                i++;
            }
            i = afterBlanks(i);
            if (i == text.length() || (text.charAt(i) != '=' && text.charAt(i) != ':')) {
                return -1;
            }
            i = afterBlanks(i + 1);
            return i == text.length() || text.charAt(i) == '\n' ? -1 : i;
        }

        private int afterBlanks(int from) {
            int i = from;
            while (i < text.length() && (text.charAt(i) == ' ' || text.charAt(i) == '\t')) {
                i++;
            }
            return i;
        }

        private void skipValue(boolean toEndOfLine) {
            while (at < text.length() && text.charAt(at) == '\\') { // a quoted text within a quoted text
                at++;
            }
            char first = at < text.length() ? text.charAt(at) : ' ';
            if (first == '"' || first == '\'') {
                skipQuoted(first);
            } else if (first == '{' || first == '[') {
                skipBrackets();
            } else if (toEndOfLine) {
                skipUntil("\r\n\"'");
            } else {
                int start = at;
                skipUntil(AFTER_WORD);
                if (SCHEMES.contains(text.substring(start, at).toLowerCase(Locale.ROOT))) {
                    at = afterBlanks(at);
                    skipUntil(AFTER_WORD);
                }
            }
        }

        /** Skips to the bracket that closes the first one, or to the end: the text may be cut. */
        private void skipBrackets() {
            int depth = 0;
            do {
                char c = text.charAt(at++);
                depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
            } while (depth > 0 && at < text.length());
        }

        private void skipQuoted(char quote) {
            at++;
            while (at < text.length() && text.charAt(at) != quote) {
                at += text.charAt(at) == '\\' && at + 1 < text.length() ? 2 : 1;
            }
            at = Math.min(at + 1, text.length());
        }

        private void skipUntil(String ends) {
            while (at < text.length() && ends.indexOf(text.charAt(at)) < 0) {
                at++;
            }
        }

        private static boolean isNamePart(char c) {
            return Character.isLetterOrDigit(c) || c == '_' || c == '-' || c == '.';
        }
    }
}
