package io.acidq.archunit;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import java.util.List;

/** The methods that handle messages by annotation. */
final class Listeners {

    private Listeners() {}

    static List<JavaMethod> in(JavaClass type) {
        return type.getMethods().stream()
                .filter(method -> !Overriding.isOnlySigned(method))
                .filter(Listeners::isListener)
                .toList();
    }

    static List<JavaMethod> transactionalIn(JavaClass type) {
        return in(type).stream().filter(Listeners::isTransactional).toList();
    }

    static boolean isListener(JavaMethod method) {
        return !Marks.on(method, Marks.LISTENER).isEmpty();
    }

    /** All that are not external for certain: a placeholder may hold either. */
    static boolean isTransactional(JavaMethod method) {
        return Marks.on(method, Marks.LISTENER).stream()
                .noneMatch(mark -> mark.text("mode").equalsIgnoreCase("external"));
    }
}
