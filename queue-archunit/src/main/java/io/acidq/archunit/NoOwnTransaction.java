package io.acidq.archunit;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Map;
import java.util.Set;

/** Checks that transactional listeners neither begin nor end a transaction. The engine begins it before the listener and ends it after the listener. */
final class NoOwnTransaction extends ArchCondition<JavaClass> {

    private static final Map<String, Set<String>> OPENERS = Map.of(
            "org.springframework.transaction.support.TransactionOperations", Set.of("execute", "executeWithoutResult"),
            "org.springframework.transaction.PlatformTransactionManager",
                    Set.of("getTransaction", "commit", "rollback"),
            "jakarta.transaction.UserTransaction", Set.of("begin", "commit", "rollback"),
            "jakarta.transaction.TransactionManager", Set.of("begin", "commit", "rollback", "suspend"),
            "jakarta.persistence.EntityTransaction", Set.of("begin", "commit", "rollback"),
            "org.apache.ibatis.session.SqlSession", Set.of("commit", "rollback"),
            "io.acidq.store.Transactions", Set.of("inNew", "call", "run"));
    private static final Map<String, Set<String>> OF_CONNECTION =
            Map.of("java.sql.Connection", Set.of("commit", "rollback", "setAutoCommit"));
    private static final Set<String> SEPARATE = Set.of("REQUIRES_NEW", "NOT_SUPPORTED");

    NoOwnTransaction() {
        super("open no transaction in transactional listeners");
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
        CallPath.ofListeners(type).forEach(callPath -> {
            if (!callPath.lambdasOnly()
                    && callPath.unit() instanceof JavaMethod method
                    && SEPARATE.contains(DeclaredTransaction.propagation(method))) {
                report(type, events, callPath, "is declared " + DeclaredTransaction.propagation(method));
            }
            callPath.calls().forEach(call -> {
                if (isOpener(call)) {
                    report(type, events, callPath, "calls " + CallGraph.name(call));
                } else if (isSeparateWithoutBody(call)) {
                    report(
                            type,
                            events,
                            callPath,
                            "calls " + CallGraph.name(call)
                                    + ", which is declared to run in another transaction or without one");
                }
            });
        });
    }

    private static boolean isOpener(JavaCodeUnitAccess<?> call) {
        return CallGraph.isOf(call, OPENERS) || (CallGraph.isOf(call, OF_CONNECTION) && !isToSavepoint(call));
    }

    /** Calls of a mapper or a repository have no imported body, so only the declaration counts. */
    private static boolean isSeparateWithoutBody(JavaCodeUnitAccess<?> call) {
        return CallGraph.bodies(call).isEmpty()
                && CallGraph.called(call).orElse(null) instanceof JavaMethod method
                && SEPARATE.contains(DeclaredTransaction.propagation(method))
                && !DeclaredTransaction.isAsync(method);
    }

    private static boolean isToSavepoint(JavaCodeUnitAccess<?> call) {
        return call.getTarget().getName().equals("rollback")
                && !call.getTarget().getRawParameterTypes().isEmpty();
    }

    private static void report(JavaClass type, ConditionEvents events, CallPath callPath, String what) {
        events.add(
                SimpleConditionEvent.violated(
                        type,
                        "the listener " + callPath.route() + " " + what
                                + ": its effects would not commit together with the end of the message. Use the transaction that AcidQ has"
                                + " begun (@Transactional with REQUIRED joins it), or make the listener external (mode = \"external\", Listener.external())"));
    }
}
