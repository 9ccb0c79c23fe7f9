package io.acidq.archunit;

import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.core.domain.JavaMethod;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Follows callers upward until each way has met a transaction, or one has come out without. For one question. */
final class CallerSearch {

    /** Begin one where they are called. */
    private static final Map<String, Set<String>> BEGIN = Map.of(
            "org.springframework.transaction.PlatformTransactionManager", Set.of("getTransaction"),
            "jakarta.transaction.UserTransaction", Set.of("begin"),
            "jakarta.transaction.TransactionManager", Set.of("begin"));

    /** Run what they are given on another thread. */
    private static final Map<String, Set<String>> ELSEWHERE = Map.of(
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
    private boolean hasMetTransaction;

    /** Why the body may run outside a transaction, if it may. */
    static Optional<String> whyOutside(JavaCodeUnit unit) {
        return new CallerSearch().searchFrom(unit, false);
    }

    /** Why the call may be made outside a transaction, if it may. */
    static Optional<String> whyOutside(JavaCodeUnitAccess<?> call) {
        return new CallerSearch().searchFrom(call.getOrigin(), CallGraph.isDeferred(call));
    }

    private Optional<String> searchFrom(JavaCodeUnit unit, boolean isDeferred) {
        return search(unit, isDeferred)
                .or(() -> hasMetTransaction ? Optional.empty() : Optional.of("only they themselves call each other"));
    }

    private Optional<String> search(JavaCodeUnit unit, boolean isDeferred) {
        if (!seen.add(List.of(unit, isDeferred))) {
            return Optional.empty();
        }
        if (CallGraph.anyFrom(unit, BEGIN) || (isDeferred && TransactionalCalls.isCalledIn(unit))) {
            hasMetTransaction = true;
            return Optional.empty();
        }
        if (isDeferred && CallGraph.anyFrom(unit, ELSEWHERE)) {
            return Optional.of(CallGraph.name(unit) + " gives it to another thread");
        }
        TransactionContext transactionContext = DeclaredTransaction.of(unit);
        return switch (transactionContext.scope()) {
            case INSIDE -> {
                hasMetTransaction = true;
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
        Optional<JavaCodeUnit> around = unit.getOwner().getEnclosingCodeUnit();
        if (calls.isEmpty() && around.isEmpty()) {
            return Optional.of(CallGraph.name(unit) + " begins none, and no imported class calls it");
        }
        return around.flatMap(code -> search(code, true))
                .or(() -> calls.stream()
                        .flatMap(call -> search(call.getOrigin(), CallGraph.isDeferred(call)).stream())
                        .findFirst());
    }
}
