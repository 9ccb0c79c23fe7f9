package io.acidq.archunit;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.core.domain.JavaMethod;
import java.util.Map;
import java.util.Set;

/** Calls that run what they are given in a transaction: of a library, or of a method that the application has for it. */
final class TransactionalCalls {

    private static final Map<String, Set<String>> KNOWN = Map.of(
            "org.springframework.transaction.support.TransactionOperations", Set.of("execute", "executeWithoutResult"),
            "io.acidq.mybatis.JdbcTransactions", Set.of("call", "run"),
            "io.acidq.store.Transactions", Set.of("inNew"),
            "io.acidq.config.Listener", Set.of("on", "onBatch"));

    private TransactionalCalls() {}

    static boolean isCalledIn(JavaCodeUnit unit) {
        return CallGraph.from(unit).stream().anyMatch(call -> CallGraph.isOf(call, KNOWN) || isOwn(call));
    }

    /** A method that takes a callback, and calls it in a lambda that it gives to one of those known, or in its own {@code @Transactional}. */
    private static boolean isOwn(JavaCodeUnitAccess<?> call) {
        return !CallGraph.isOfLibrary(call.getTargetOwner())
                && CallGraph.bodies(call).stream()
                        .anyMatch(body -> body instanceof JavaMethod method && isOwn(method, call.getOriginOwner()));
    }

    private static boolean isOwn(JavaMethod method, JavaClass caller) {
        boolean isProxied = !method.getOwner().equals(caller)
                && DeclaredTransaction.of(method).scope() == TransactionContext.TransactionScope.INSIDE;
        boolean hasKnown = CallGraph.anyFrom(method, KNOWN);
        return (isProxied || hasKnown)
                && CallGraph.from(method).stream()
                        .filter(inner -> isProxied || CallGraph.isDeferred(inner))
                        .anyMatch(inner -> method.getRawParameterTypes().stream()
                                .filter(JavaClass::isInterface)
                                .anyMatch(type -> type.equals(inner.getTargetOwner())));
    }
}
