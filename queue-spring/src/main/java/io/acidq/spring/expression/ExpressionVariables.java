package io.acidq.spring.expression;

import io.acidq.QueueMisuseException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.Assign;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.VariableReference;

/**
 * The variables that exist where an expression of an annotation is evaluated. SpEL reads every other variable as null, without an
 * error. Not API.
 *
 * @param names  the names without {@code #}, in the order in which messages list them
 * @param advice what to do about a variable that does not exist
 */
public record ExpressionVariables(Set<String> names, String advice) {

    /** Finds the names of parameters: the same for the check and for the evaluation, so that the two agree. */
    public static final ParameterNameDiscoverer PARAMETER_NAMES = new DefaultParameterNameDiscoverer();

    private static final List<String> EVERYWHERE = List.of("root", "this");

    public static ExpressionVariables of(String... names) {
        return new ExpressionVariables(Set.of(), "write one of these").with(names);
    }

    /** Those of {@code @Publish} on a method, before the payload of a message is known. */
    public static ExpressionVariables of(Method method) {
        String[] parameters = PARAMETER_NAMES.getParameterNames(method);
        Stream<String> result = method.getReturnType() == void.class ? Stream.empty() : Stream.of("result");
        Stream<String> named = parameters == null ? Stream.empty() : Arrays.stream(parameters);
        Stream<String> numbered =
                IntStream.range(0, method.getParameterCount()).boxed().flatMap(i -> Stream.of("p" + i, "a" + i));
        ExpressionVariables variables =
                of(Stream.of(result, named, numbered).flatMap(each -> each).toArray(String[]::new));
        return parameters == null
                ? new ExpressionVariables(
                        variables.names,
                        "the class has no names of parameters: compile with -parameters, or use #p0 for the first parameter")
                : variables;
    }

    public ExpressionVariables with(String... more) {
        Set<String> all = new LinkedHashSet<>(names);
        EVERYWHERE.forEach(all::remove);
        all.addAll(List.of(more));
        all.addAll(EVERYWHERE);
        return new ExpressionVariables(all, advice);
    }

    /**
     * Fails when an expression names a variable that neither exists nor is assigned in the expression itself.
     *
     * @param what the expression in words
     */
    void check(String what, SpelNode expression) {
        Set<String> assigned = nodes(expression)
                .filter(node -> node instanceof Assign && node.getChild(0) instanceof VariableReference)
                .map(node -> name(node.getChild(0)))
                .collect(Collectors.toSet());
        nodes(expression)
                .filter(node -> node instanceof VariableReference || node instanceof FunctionReference)
                .map(ExpressionVariables::name)
                .filter(name -> !names.contains(name) && !assigned.contains(name))
                .findFirst()
                .ifPresent(name -> {
                    throw QueueMisuseException.withAction(
                            what + " names the variable #" + name + ", which does not exist there (there are: "
                                    + names.stream().map(each -> "#" + each).collect(Collectors.joining(", ")) + ")",
                            advice);
                });
    }

    private static Stream<SpelNode> nodes(SpelNode node) {
        return Stream.concat(
                Stream.of(node),
                IntStream.range(0, node.getChildCount())
                        .mapToObj(node::getChild)
                        .flatMap(ExpressionVariables::nodes));
    }

    /** Of {@code #order} and {@code #order(…)}; the nodes keep it private. */
    private static String name(SpelNode reference) {
        String text = reference.toStringAST();
        int arguments = text.indexOf('(');
        return text.substring(1, arguments < 0 ? text.length() : arguments);
    }
}
