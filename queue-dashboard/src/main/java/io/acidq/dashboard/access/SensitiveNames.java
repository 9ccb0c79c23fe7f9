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
    public static final List<String> DEFAULT_WORDS = List.of(
            "password",
            "passwd",
            "pwd",
            "secret",
            "credential",
            "token",
            "authorization",
            "cookie",
            "apiKey",
            "privateKey",
            "iban",
            "cardNumber",
            "cvv");

    /** Headers whose values have spaces and semicolons. */
    private static final List<String> HEADERS = List.of("cookie", "authorization");

    private static final Set<String> SCHEMES = Set.of("bearer", "basic", "digest");
    private static final int MAX_BLANKS = 100;
    private static final int MAX_DIGITS = 10;
    private static final String BEFORE_HOST = "://";
    private static final String AFTER_HOST = "/?# \t\r\n,;\"'(){}[]<>";
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
     * Masks the values of sensitive names in a text, such as an error, and the passwords in URLs such as {@code https://ann:password@host}. Time grows with the length of the text
     * only. What follows {@code Bearer} or {@code Basic} is part of the value. A value without quotes ends with its first word.
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
                } else if (text.startsWith(BEFORE_HOST, at)) {
                    copyUserOfUrl();
                } else {
                    out.append(text.charAt(at++));
                }
            }
            return out.toString();
        }

        /** Copies what is before the host of a URL, without the password. */
        private void copyUserOfUrl() {
            int start = at + BEFORE_HOST.length();
            int colon = -1;
            int host = -1;
            for (int i = start; i < text.length() && AFTER_HOST.indexOf(text.charAt(i)) < 0; i++) {
                colon = colon < 0 && text.charAt(i) == ':' ? i : colon;
                host = text.charAt(i) == '@' ? i : host;
            }
            if (colon < 0 || colon > host) {
                out.append(text, at, start);
                at = start;
            } else {
                out.append(text, at, colon + 1).append(PayloadMask.MASKED);
                at = host;
            }
        }

        private void copyName() {
            int start = at;
            while (at < text.length() && isNamePart(text.charAt(at))) {
                at++;
            }
            out.append(text, start, at);
            boolean isElement = start > 0 && text.charAt(start - 1) == '<' && text.startsWith(">", at);
            if (isElement && matches(text.substring(start, at))) {
                out.append('>');
                at++;
                skipUntil("<");
                out.append(PayloadMask.MASKED);
                return;
            }
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
            i = afterIndex(afterBlanks(i));
            if (i == text.length() || (text.charAt(i) != '=' && text.charAt(i) != ':')) {
                return -1;
            }
            i = afterBlanks(text.startsWith("=>", i) ? i + 2 : i + 1);
            int next = i;
            while (next < text.length() && next - i < MAX_BLANKS && Character.isWhitespace(text.charAt(next))) {
                next++;
            }
            if (next > i) { // in the next line: only a value in quotes belongs to the name
                return next < text.length() && (text.charAt(next) == '"' || text.charAt(next) == '\'') ? next : -1;
            }
            return i == text.length() ? -1 : i;
        }

        /** Skips an index such as that of {@code password[0]=}. */
        private int afterIndex(int from) {
            int i = from;
            if (text.startsWith("[", i)) {
                i++;
                while (i < text.length() && i - from < MAX_DIGITS && Character.isDigit(text.charAt(i))) {
                    i++;
                }
                return text.startsWith("]", i) ? i + 1 : from;
            }
            return i;
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
