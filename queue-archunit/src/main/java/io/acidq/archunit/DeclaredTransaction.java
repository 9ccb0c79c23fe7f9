package io.acidq.archunit;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import io.acidq.archunit.AnnotationFinder.FoundAnnotation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Decides from annotations and framework callbacks whether a method runs in a transaction. */
final class DeclaredTransaction {

    private static final String JAKARTA = "jakarta.transaction.Transactional";
    private static final Set<String> TRANSACTIONAL =
            Set.of("org.springframework.transaction.annotation.Transactional", JAKARTA);

    /** Callbacks that their framework always calls in a transaction. */
    private static final Set<String> HANDLERS = Set.of(
            "io.acidq.Handler",
            "io.acidq.BatchHandler",
            "org.springframework.transaction.support.TransactionCallback",
            "org.springframework.transaction.support.TransactionCallbackWithoutResult",
            "io.acidq.mybatis.JdbcTransactions$TransactionWork",
            "io.acidq.mybatis.JdbcTransactions$TransactionWorkWithResult");

    private static final Set<String> LIFECYCLE_ANNOTATIONS = Set.of(
            "jakarta.annotation.PostConstruct",
            "jakarta.annotation.PreDestroy",
            "javax.annotation.PostConstruct",
            "javax.annotation.PreDestroy");
    private static final Map<String, Set<String>> LIFECYCLE_METHODS = Map.of(
            "org.springframework.beans.factory.InitializingBean", Set.of("afterPropertiesSet"),
            "org.springframework.beans.factory.DisposableBean", Set.of("destroy"));
    private static final Map<String, Set<String>> BEFORE_COMMIT = Map.of(
            "org.springframework.transaction.support.TransactionSynchronization",
            Set.of("beforeCommit", "beforeCompletion"));
    private static final Map<String, Set<String>> AFTER_COMMIT = Map.of(
            "org.springframework.transaction.support.TransactionSynchronization",
            Set.of("afterCommit", "afterCompletion"));

    private DeclaredTransaction() {}

    static TransactionContext of(JavaCodeUnit unit) {
        if (!(unit instanceof JavaMethod method)) {
            return TransactionContext.CALLERS;
        }
        TransactionContext ofCallback = ofCallback(method);
        return ofCallback.equals(TransactionContext.CALLERS) ? ofAnnotations(method) : ofCallback;
    }

    /** Callbacks that a framework calls on the bean itself, not through the proxy that begins a transaction. */
    private static TransactionContext ofCallback(JavaMethod method) {
        if (!AnnotationFinder.on(method, LIFECYCLE_ANNOTATIONS).isEmpty() || isOf(method, LIFECYCLE_METHODS)) {
            return TransactionContext.outside(
                    "is called on the bean itself, without the proxy that begins a transaction");
        }
        if (isOf(method, AFTER_COMMIT)) {
            return TransactionContext.outside("runs after the commit: use beforeCommit");
        }
        return isOf(method, BEFORE_COMMIT) ? TransactionContext.INSIDE : TransactionContext.CALLERS;
    }

    private static boolean isOf(JavaMethod method, Map<String, Set<String>> callbacks) {
        return callbacks.entrySet().stream()
                .anyMatch(each -> each.getValue().contains(method.getName())
                        && method.getOwner().isAssignableTo(each.getKey()));
    }

    private static TransactionContext ofAnnotations(JavaMethod method) {
        String propagation = propagation(method);
        if (isReadOnly(method)) {
            return TransactionContext.outside("is read-only: remove readOnly = true");
        }
        if (propagation.equals("NEVER") || propagation.equals("NOT_SUPPORTED")) {
            return TransactionContext.outside("runs without a transaction because its propagation is " + propagation);
        }
        List<FoundAnnotation> after = AnnotationFinder.on(method, AnnotationFinder.AFTER);
        if (!after.isEmpty()) {
            boolean isBefore = after.get(0).text("phase").equals("BEFORE_COMMIT");
            return isBefore || propagation.equals("REQUIRES_NEW")
                    ? TransactionContext.INSIDE
                    : TransactionContext.outside(
                            "runs after the commit: use phase BEFORE_COMMIT, or @Transactional(REQUIRES_NEW)");
        }
        if (!propagation.isEmpty() && !propagation.equals("SUPPORTS")) {
            return TransactionContext.INSIDE;
        }
        return ofHandler(method);
    }

    private static TransactionContext ofHandler(JavaMethod method) {
        if (ListenerMethods.isListener(method)) {
            return ListenerMethods.isTransactional(method)
                    ? TransactionContext.INSIDE
                    : TransactionContext.outside("is an external listener, which has no transaction");
        }
        if (isAsync(method)) {
            return TransactionContext.outside("runs on another thread (@Async)");
        }
        boolean handles = OverriddenMethods.withOverridden(method).stream()
                .anyMatch(each -> HANDLERS.contains(each.getOwner().getName()));
        return handles ? TransactionContext.INSIDE : TransactionContext.CALLERS;
    }

    static boolean isAsync(JavaMethod method) {
        return !AnnotationFinder.on(method, AnnotationFinder.ASYNC).isEmpty()
                || !AnnotationFinder.on(method.getOwner(), AnnotationFinder.ASYNC)
                        .isEmpty();
    }

    /** Returns the propagation of the {@code @Transactional} that applies to the method, or an empty string. */
    static String propagation(JavaMethod method) {
        return transactional(method)
                .map(foundAnnotation ->
                        foundAnnotation.text(foundAnnotation.type().equals(JAKARTA) ? "value" : "propagation"))
                .map(name -> name.isEmpty() ? "REQUIRED" : name)
                .orElse("");
    }

    private static boolean isReadOnly(JavaMethod method) {
        return transactional(method)
                .filter(foundAnnotation -> foundAnnotation.isTrue("readOnly"))
                .isPresent();
    }

    /** Looks on the method, then on its class and supertypes. A proxy cannot intercept private and static methods. */
    private static Optional<FoundAnnotation> transactional(JavaMethod method) {
        Set<JavaModifier> modifiers = method.getModifiers();
        if (modifiers.contains(JavaModifier.PRIVATE) || modifiers.contains(JavaModifier.STATIC)) {
            return Optional.empty();
        }
        JavaClass owner = method.getOwner();
        Stream<JavaClass> types = Stream.of(
                        Stream.of(owner), owner.getAllRawSuperclasses().stream(), owner.getAllRawInterfaces().stream())
                .flatMap(each -> each);
        return Stream.concat(
                        AnnotationFinder.on(method, TRANSACTIONAL).stream(),
                        types.flatMap(type -> AnnotationFinder.on(type, TRANSACTIONAL).stream()))
                .findFirst();
    }

    /**
     * Whether code runs in a transaction.
     *
     * @param scope  in a transaction, outside one, or the same as its callers
     * @param reason why it is outside; otherwise empty
     */
    record TransactionContext(TransactionScope scope, String reason) {

        static final TransactionContext INSIDE = new TransactionContext(TransactionScope.INSIDE, "");
        static final TransactionContext CALLERS = new TransactionContext(TransactionScope.CALLERS, "");

        enum TransactionScope {
            INSIDE,
            OUTSIDE,
            CALLERS
        }

        static TransactionContext outside(String reason) {
            return new TransactionContext(TransactionScope.OUTSIDE, reason);
        }
    }
}
