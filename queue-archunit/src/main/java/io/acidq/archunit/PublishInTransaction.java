package io.acidq.archunit;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.acidq.archunit.DeclaredTransaction.TransactionContext;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Checks that all code that publishes messages runs in a transaction, on every path of callers. */
final class PublishInTransaction extends ArchCondition<JavaClass> {

    PublishInTransaction() {
        super("publish messages only inside a transaction");
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
        PublishingMethods.methodsIn(type)
                .forEach(method -> CallerSearch.whyOutside(method)
                        .ifPresent(why -> report(type, events, CallGraph.name(method) + " has @Publish", why)));
        type.getCodeUnits()
                .forEach(unit -> PublishingMethods.callsIn(unit)
                        .forEach(call -> CallerSearch.whyOutside(call)
                                .ifPresent(why -> report(
                                        type, events, CallGraph.name(unit) + " calls " + CallGraph.name(call), why))));
    }

    private static void report(JavaClass type, ConditionEvents events, String use, String why) {
        events.add(
                SimpleConditionEvent.violated(
                        type,
                        use + " but may run outside a transaction: " + why
                                + ". Annotate it, or each public method that leads to it, with @Transactional"
                                + " (or wrap the call in a TransactionTemplate): a message exists if and only if its transaction commits"));
    }

    /** Follows the callers of one method until each path reaches a transaction, or one path ends without a transaction. An instance serves one search. */
    private static final class CallerSearch {

        /** Methods that begin a transaction in their caller. */
        private static final Map<String, Set<String>> BEGIN_METHODS = Map.of(
                "org.springframework.transaction.PlatformTransactionManager", Set.of("getTransaction"),
                "jakarta.transaction.UserTransaction", Set.of("begin"),
                "jakarta.transaction.TransactionManager", Set.of("begin"));

        /** Methods that run their callback on another thread. */
        private static final Map<String, Set<String>> OTHER_THREAD = Map.of(
                "java.util.concurrent.Executor",
                        Set.of(
                                "execute",
                                "submit",
                                "submitCompletable",
                                "invoke",
                                "invokeAll",
                                "invokeAny",
                                "schedule",
                                "scheduleAtFixedRate",
                                "scheduleWithFixedDelay"),
                "java.util.concurrent.CompletableFuture",
                        Set.of("runAsync", "supplyAsync", "thenRunAsync", "thenAcceptAsync", "thenApplyAsync"),
                "java.lang.Thread", Set.of("<init>", "startVirtualThread"),
                "java.lang.Thread$Builder", Set.of("start", "unstarted"),
                "java.util.Timer", Set.of("schedule", "scheduleAtFixedRate"),
                "java.util.Collection", Set.of("parallelStream"),
                "java.util.stream.BaseStream", Set.of("parallel"),
                "org.springframework.scheduling.TaskScheduler",
                        Set.of("schedule", "scheduleAtFixedRate", "scheduleWithFixedDelay"));

        private final Set<List<Object>> seen = new HashSet<>();
        private boolean foundTransaction;

        /** Returns why the method may run outside a transaction, or nothing if it cannot. */
        static Optional<String> whyOutside(JavaCodeUnit unit) {
            return new CallerSearch().searchFrom(unit, false);
        }

        /** Returns why the call may run outside a transaction, or nothing if it cannot. */
        static Optional<String> whyOutside(JavaCodeUnitAccess<?> call) {
            return new CallerSearch().searchFrom(call.getOrigin(), CallGraph.isDeferred(call));
        }

        private Optional<String> searchFrom(JavaCodeUnit unit, boolean isDeferred) {
            return search(unit, isDeferred)
                    .or(() -> foundTransaction ? Optional.empty() : Optional.of("its only callers call each other"));
        }

        private Optional<String> search(JavaCodeUnit unit, boolean isDeferred) {
            if (!seen.add(List.of(unit, isDeferred))) {
                return Optional.empty();
            }
            if (CallGraph.anyFrom(unit, BEGIN_METHODS) || (isDeferred && TransactionalCalls.isCalledIn(unit))) {
                foundTransaction = true;
                return Optional.empty();
            }
            if (isDeferred && CallGraph.anyFrom(unit, OTHER_THREAD)) {
                return Optional.of(CallGraph.name(unit) + " passes it to another thread");
            }
            TransactionContext transactionContext = DeclaredTransaction.of(unit);
            return switch (transactionContext.scope()) {
                case INSIDE -> {
                    foundTransaction = true;
                    yield Optional.empty();
                }
                case OUTSIDE -> Optional.of(CallGraph.name(unit) + " " + transactionContext.reason());
                case CALLERS -> callers(unit);
            };
        }

        private Optional<String> callers(JavaCodeUnit unit) {
            List<JavaCodeUnitAccess<?>> calls = Stream.concat(
                            CallGraph.to(unit).stream(),
                            unit instanceof JavaMethod method
                                    ? ApplicationEvents.publishing(method).stream()
                                    : Stream.empty())
                    .toList();
            Optional<JavaCodeUnit> enclosing = unit.getOwner().getEnclosingCodeUnit();
            if (calls.isEmpty() && enclosing.isEmpty()) {
                return Optional.of(CallGraph.name(unit) + " begins no transaction, and no imported class calls it");
            }
            return enclosing
                    .flatMap(code -> search(code, true))
                    .or(() -> calls.stream()
                            .flatMap(call -> search(call.getOrigin(), CallGraph.isDeferred(call)).stream())
                            .findFirst());
        }
    }

    /** Calls that run their callback in a transaction: calls of a library, or of a method of the application that does so. */
    private static final class TransactionalCalls {

        private static final Map<String, Set<String>> LIBRARY_METHODS = Map.of(
                "org.springframework.transaction.support.TransactionOperations",
                        Set.of("execute", "executeWithoutResult"),
                "io.acidq.mybatis.JdbcTransactions", Set.of("call", "run"),
                "io.acidq.store.Transactions", Set.of("inNew"),
                "io.acidq.config.Listener", Set.of("on", "onBatch"));

        private TransactionalCalls() {}

        static boolean isCalledIn(JavaCodeUnit unit) {
            return CallGraph.from(unit).stream()
                    .anyMatch(call -> CallGraph.isOf(call, LIBRARY_METHODS) || runsCallbackInTransaction(call));
        }

        /**
         * Whether the called method runs a callback that it gets in a transaction: it passes a lambda to a library method that begins one, or is
         * {@code @Transactional} itself.
         */
        private static boolean runsCallbackInTransaction(JavaCodeUnitAccess<?> call) {
            return !CallGraph.isOfLibrary(call.getTargetOwner())
                    && CallGraph.bodies(call).stream()
                            .anyMatch(body -> body instanceof JavaMethod method
                                    && runsCallbackInTransaction(method, call.getOriginOwner()));
        }

        private static boolean runsCallbackInTransaction(JavaMethod method, JavaClass caller) {
            boolean isProxied = !method.getOwner().equals(caller)
                    && DeclaredTransaction.of(method).scope() == TransactionContext.TransactionScope.INSIDE;
            boolean callsLibrary = CallGraph.anyFrom(method, LIBRARY_METHODS);
            return (isProxied || callsLibrary)
                    && CallGraph.from(method).stream()
                            .filter(inner -> isProxied || CallGraph.isDeferred(inner))
                            .anyMatch(inner -> method.getRawParameterTypes().stream()
                                    .filter(JavaClass::isInterface)
                                    .anyMatch(type -> type.equals(inner.getTargetOwner())));
        }
    }
}
