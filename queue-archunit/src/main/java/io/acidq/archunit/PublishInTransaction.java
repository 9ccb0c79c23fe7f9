package io.acidq.archunit;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;

/** Each place that publishes has a transaction on every way to it. */
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

    private static void report(JavaClass type, ConditionEvents events, String what, String why) {
        events.add(
                SimpleConditionEvent.violated(
                        type,
                        what + " where no transaction is certain: " + why
                                + ". Annotate it, or each public method that leads to it, with @Transactional"
                                + " (or wrap the call in a TransactionTemplate): a message exists if and only if its transaction commits"));
    }
}
