package io.acidq.boot;

import io.acidq.QueueMisuseException;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.util.StringUtils;

/** Turns a misuse that fails the start into a description and an action, without a stack trace. */
final class QueueMisuseFailureAnalyzer extends AbstractFailureAnalyzer<QueueMisuseException> {

    private static final String ADVICE = ": ";

    /** Neither the name of a property or of a variable, nor one that is followed by its property: those begin no sentence with a capital. */
    private static final Pattern WORD = Pattern.compile("[a-z]+(?=[\\s,:;]|$)(?! \\(acidq\\.)");

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, QueueMisuseException cause) {
        String message = String.valueOf(cause.getMessage());
        BeanCreationException creation = findCause(rootFailure, BeanCreationException.class);
        String where = creation == null || creation.getBeanName() == null
                ? ""
                : System.lineSeparator() + "It came up while bean '" + creation.getBeanName() + "' was created.";
        String action = given(cause).orElseGet(() -> written(message));
        return new FailureAnalysis(sentence(cause.problem()) + where, sentence(action), cause);
    }

    /** What quotes others may have its full stop already. */
    private static String sentence(String text) {
        String begun = WORD.matcher(text).lookingAt() ? StringUtils.capitalize(text) : text;
        return begun + (text.endsWith(".") ? "" : ".");
    }

    /** That of the innermost misuse which tells it apart. */
    private static Optional<String> given(Throwable outermost) {
        return Stream.iterate(outermost, t -> t != null, Throwable::getCause)
                .filter(QueueMisuseException.class::isInstance)
                .flatMap(t -> ((QueueMisuseException) t).action().stream())
                .findFirst();
    }

    /** Messages of misuse say what to do after their first colon; later ones may be quoted. */
    private static String written(String message) {
        int advice = message.indexOf(ADVICE);
        return advice < 0
                ? "Change the code or the configuration as described; running it again unchanged will not help"
                : message.substring(advice + ADVICE.length());
    }
}
