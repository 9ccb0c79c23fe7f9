package io.acidq.config;

import io.acidq.QueueMisuseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The filter of a subscription: conditions on the stored type of a message and on its headers. Immutable.
 *
 * <pre>
 * filter    = and { "or" and }
 * and       = term { "and" term }
 * term      = "not" term | "(" filter ")" | name condition
 * condition = "=" text | "!=" text | "in" "(" text { "," text } ")" | "is" [ "not" ] "null"
 * name      = "type" | a header: letters, digits, '.', '_' and '-' | a header in double quotes
 * text      = characters in single quotes; a quote is written twice
 * </pre>
 *
 * <p>Double quotes are for a header whose name is a keyword or has other characters: {@code "not" = 'x'}. A double quote in it is written twice.
 *
 * <p>A header that is missing is different from every text. Keywords may be written in upper case, {@code type} may not: {@code TYPE} is refused, because
 * it would look like a header.
 */
public final class SubscriptionFilter {

    /** Accepts every message. */
    public static final SubscriptionFilter ALL = new SubscriptionFilter("", message -> true);

    private static final int MAX_LENGTH = 1000;
    private static final Pattern TOKEN = Pattern.compile(
            "\\s*(?:(?<text>'(?:[^']|'')*')|(?<quoted>\"(?:[^\"]|\"\")+\")|(?<word>[A-Za-z0-9._-]+)|(?<sign>!=|[=(),])|(?<bad>\\S))");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]+");
    private static final String TYPE = "type";

    private final String text;
    private final Predicate<Attributes> condition;

    private SubscriptionFilter(String text, Predicate<Attributes> condition) {
        this.text = text;
        this.condition = condition;
    }

    /**
     * Reads a filter.
     *
     * @param text the filter; blank for all messages
     * @throws QueueMisuseException when it is not a filter; the message shows the place
     */
    public static SubscriptionFilter parse(String text) {
        if (text.isBlank()) {
            return ALL;
        }
        if (text.length() > MAX_LENGTH) {
            throw new QueueMisuseException("a filter has " + text.length() + " characters, at most " + MAX_LENGTH
                    + " are allowed: shorten it, or let the publisher set one header that sums it up");
        }
        Parser parser = new Parser(text);
        Predicate<Attributes> condition = parser.filter();
        parser.end();
        return new SubscriptionFilter(text.strip(), condition);
    }

    /** Returns whether the subscription gets a message with this stored type and these headers. */
    public boolean accepts(String type, Map<String, String> headers) {
        return condition.test(new Attributes(type, headers));
    }

    /** Returns the text of the filter, empty for all messages. */
    @Override
    public String toString() {
        return text;
    }

    private record Attributes(String type, Map<String, String> headers) {

        @Nullable
        String get(String name) {
            return name.equals(TYPE) ? type : headers.get(name);
        }
    }

    /** A parser by recursive descent. Used once. */
    private static final class Parser {

        private final String text;
        private final Matcher matcher;

        /** The current token, empty at the end. Texts keep their quotes. */
        private String token = "";

        private int position;

        Parser(String text) {
            this.text = text;
            this.matcher = TOKEN.matcher(text);
            next();
        }

        Predicate<Attributes> filter() {
            Predicate<Attributes> condition = conjunction();
            while (takes("or")) {
                condition = condition.or(conjunction());
            }
            return condition;
        }

        private Predicate<Attributes> conjunction() {
            Predicate<Attributes> condition = term();
            while (takes("and")) {
                condition = condition.and(term());
            }
            return condition;
        }

        private Predicate<Attributes> term() {
            if (takes("not")) {
                return term().negate();
            }
            if (takes("(")) {
                Predicate<Attributes> condition = filter();
                require(")");
                return condition;
            }
            boolean quoted = token.startsWith("\"");
            if (!quoted && !NAME.matcher(token).matches()) {
                throw expected("'type' or the name of a header");
            }
            if (token.equalsIgnoreCase(TYPE) && !token.equals(TYPE)) {
                throw expected("'type' in lower case, the stored type of the message,");
            }
            String name = quoted ? unquoted("\"") : token;
            next();
            return quoted ? condition(message -> message.headers().get(name)) : condition(message -> message.get(name));
        }

        private Predicate<Attributes> condition(Function<Attributes, @Nullable String> value) {
            if (takes("=")) {
                String wanted = literal();
                return message -> wanted.equals(value.apply(message));
            }
            if (takes("!=")) {
                String unwanted = literal();
                return message -> !unwanted.equals(value.apply(message));
            }
            if (takes("in")) {
                require("(");
                List<String> wanted = new ArrayList<>(List.of(literal()));
                while (takes(",")) {
                    wanted.add(literal());
                }
                require(")");
                return message -> {
                    String found = value.apply(message);
                    return found != null && wanted.contains(found);
                };
            }
            if (takes("is")) {
                boolean wantsNull = !takes("not");
                require("null");
                return message -> (value.apply(message) == null) == wantsNull;
            }
            throw expected("=, !=, in or is");
        }

        private String literal() {
            if (!token.startsWith("'")) {
                throw expected("a text in single quotes");
            }
            String literal = unquoted("'");
            next();
            return literal;
        }

        private String unquoted(String quote) {
            return token.substring(1, token.length() - 1).replace(quote + quote, quote);
        }

        void end() {
            if (!token.isEmpty()) {
                throw expected("and, or, or the end");
            }
        }

        private boolean takes(String wanted) {
            boolean found = token.toLowerCase(Locale.ROOT).equals(wanted);
            if (found) {
                next();
            }
            return found;
        }

        private void require(String wanted) {
            if (!takes(wanted)) {
                throw expected(wanted);
            }
        }

        private void next() {
            if (!matcher.lookingAt()) {
                token = "";
                position = text.length();
                return;
            }
            token = matcher.group().strip();
            position = matcher.end() - token.length();
            String bad = matcher.group("bad");
            matcher.region(matcher.end(), text.length());
            if (bad != null) {
                throw expected("a name, a text in single quotes, or one of = != ( ) ,");
            }
        }

        private QueueMisuseException expected(String wanted) {
            String found = token.isEmpty() ? "its end" : token;
            return new QueueMisuseException("the filter [" + text + "] has " + found + " at character "
                    + (position + 1) + " where " + wanted + " is expected: correct it, such as"
                    + " type = 'OrderPlaced' and region in ('eu', 'us')");
        }
    }
}
