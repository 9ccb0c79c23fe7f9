package io.acidq.archunit;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import java.util.List;

/** The methods that handle messages by annotation. */
final class ListenerMethods {

    private ListenerMethods() {}

    static List<JavaMethod> in(JavaClass type) {
        return type.getMethods().stream()
                .filter(method -> !OverriddenMethods.isOnlySigned(method))
                .filter(ListenerMethods::isListener)
                .toList();
    }

    static List<JavaMethod> transactionalIn(JavaClass type) {
        return in(type).stream().filter(ListenerMethods::isTransactional).toList();
    }

    static boolean isListener(JavaMethod method) {
        return !AnnotationFinder.on(method, AnnotationFinder.LISTENER).isEmpty();
    }

    /** All that are not external for certain: a placeholder may hold either. */
    static boolean isTransactional(JavaMethod method) {
        return AnnotationFinder.on(method, AnnotationFinder.LISTENER).stream()
                .noneMatch(foundAnnotation -> foundAnnotation.text("mode").equalsIgnoreCase("external"));
    }
}
