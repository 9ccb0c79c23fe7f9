package io.acidq.archunit;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.EvaluationResult;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The rule of {@link QueueRules#noRemoteCallInListeners()}, which an application extends by the clients that only it knows. Immutable and
 * thread-safe.
 */
public final class NoRemoteCall implements ArchRule {

    private final Set<String> also;
    private final ArchRule rule;

    NoRemoteCall(Set<String> also) {
        this.also = also;
        this.rule = classes()
                .should(new Condition(also))
                .as("transactional listeners make no remote call and do not wait")
                .because("locks and a connection are held meanwhile, and what another machine did is not rolled back");
    }

    /**
     * The same rule with more that is forbidden.
     *
     * @param types full names of classes or interfaces: no call of them, or of what extends them, is left to a transactional listener
     * @throws IllegalArgumentException when one of them is not on the classpath of the tests
     */
    public NoRemoteCall alsoForbidding(String... types) {
        Stream.of(types).forEach(NoRemoteCall::requireKnown);
        return new NoRemoteCall(Stream.concat(also.stream(), Stream.of(types)).collect(Collectors.toUnmodifiableSet()));
    }

    /** A mistyped name would forbid nothing, in silence. */
    private static void requireKnown(String type) {
        if (Classpath.find(type.replace('.', '/') + ".class") == null) {
            throw new IllegalArgumentException(type + " is not on the classpath of the tests: give the full name of a"
                    + " class or interface, as com.example.Outer$Inner where it is nested");
        }
    }

    @Override
    public void check(JavaClasses classes) {
        rule.check(classes);
    }

    @Override
    public EvaluationResult evaluate(JavaClasses classes) {
        return rule.evaluate(classes);
    }

    @Override
    public ArchRule because(String reason) {
        return rule.because(reason);
    }

    @Override
    public ArchRule allowEmptyShould(boolean allow) {
        return rule.allowEmptyShould(allow);
    }

    @Override
    public ArchRule as(String description) {
        return rule.as(description);
    }

    @Override
    public String getDescription() {
        return rule.getDescription();
    }

    private static final class Condition extends ArchCondition<JavaClass> {

        private final Set<String> also;

        Condition(Set<String> also) {
            super("make no remote call and not wait in transactional listeners");
            this.also = also;
        }

        @Override
        public void check(JavaClass type, ConditionEvents events) {
            CallPath.ofListeners(type)
                    .forEach(callPath -> callPath.calls().stream()
                            .filter(call -> RemoteCalls.isOne(call, also))
                            .forEach(call -> events.add(SimpleConditionEvent.violated(
                                    type,
                                    "the listener " + callPath.way() + " calls " + CallGraph.name(call)
                                            + " in its transaction: make the listener external (mode = \"external\", Listener.external()),"
                                            + " or enqueue a message for one that is"))));
        }
    }
}
