package io.acidq.boot;

import io.acidq.QueueMisuseException;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.util.StringUtils;

/** Describes a misuse that fails the start, and the action to take, without a stack trace. */
final class QueueMisuseFailureAnalyzer extends AbstractFailureAnalyzer<QueueMisuseException> {

    private static final String ADVICE = ": ";

    /** A word that is capitalized at the beginning of a sentence. Names of properties and variables are not, nor a name that its property follows. */
    private static final Pattern WORD = Pattern.compile("[a-z]+(?=[\\s,:;]|$)(?! \\(acidq\\.)");

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, QueueMisuseException cause) {
        String message = String.valueOf(cause.getMessage());
        BeanCreationException creation = findCause(rootFailure, BeanCreationException.class);
        String where = creation == null || creation.getBeanName() == null
                ? ""
                : System.lineSeparator() + "It occurred while bean '" + creation.getBeanName() + "' was created.";
        String action = given(cause).orElseGet(() -> written(message));
        return new FailureAnalysis(sentence(cause.problem()) + where, sentence(action), cause);
    }

    /** Capitalizes the text, and adds a full stop unless a quotation at its end has one. */
    private static String sentence(String text) {
        String begun = WORD.matcher(text).lookingAt() ? StringUtils.capitalize(text) : text;
        return begun + (text.endsWith(".") ? "" : ".");
    }

    /** Returns the action of the outermost misuse that has one. */
    private static Optional<String> given(Throwable outermost) {
        return Stream.iterate(outermost, t -> t != null, Throwable::getCause)
                .filter(QueueMisuseException.class::isInstance)
                .flatMap(t -> ((QueueMisuseException) t).action().stream())
                .findFirst();
    }

    /** Returns the text after the first colon, which is the advice. Later colons can belong to quotations. */
    private static String written(String message) {
        int advice = message.indexOf(ADVICE);
        return advice < 0
                ? "Change the code or the configuration as described; running it again unchanged will not help"
                : message.substring(advice + ADVICE.length());
    }
}
