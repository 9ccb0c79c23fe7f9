package io.acidq.spring.expression;

import io.acidq.QueueMisuseException;
import java.lang.reflect.Method;
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
 * The variables that an expression of an annotation can use. SpEL itself reads an unknown variable as null, without an error. Not API.
 *
 * @param names     the names without {@code #}, in the order in which error messages list them
 * @param ambiguous those of the names that are also names of arguments, so that an expression cannot say which of the two it means
 * @param advice    what to do about a variable that does not exist, for error messages
 */
public record ExpressionVariables(Set<String> names, Set<String> ambiguous, String advice) {

    /** Discovers the names of parameters, for the check and for the evaluation alike, so that the two agree. */
    public static final ParameterNameDiscoverer PARAMETER_NAMES = new DefaultParameterNameDiscoverer();

    private static final List<String> EVERYWHERE = List.of("root", "this");

    public static ExpressionVariables of(String... names) {
        return new ExpressionVariables(Set.of(), Set.of(), "write one of these").with(names);
    }

    /** Returns the variables of {@code @Publish} on a method, without the payload of a message. */
    public static ExpressionVariables of(Method method) {
        Set<String> names = new LinkedHashSet<>();
        Set<String> numbers = new LinkedHashSet<>();
        Set<String> ambiguous = new LinkedHashSet<>();
        String[] parameters = PARAMETER_NAMES.getParameterNames(method);
        if (method.getReturnType() != void.class) {
            names.add("result");
        }
        for (int i = 0; i < method.getParameterCount(); i++) {
            numbers.addAll(List.of("p" + i, "a" + i));
        }
        for (int i = 0; parameters != null && i < parameters.length; i++) {
            String parameter = parameters[i];
            boolean isOfAnother =
                    numbers.contains(parameter) && !parameter.substring(1).equals("" + i);
            if (!names.add(parameter) || isOfAnother || EVERYWHERE.contains(parameter)) {
                ambiguous.add(parameter);
            }
        }
        names.addAll(numbers);
        names.addAll(EVERYWHERE);
        return new ExpressionVariables(
                names,
                ambiguous,
                parameters == null
                        ? "the class has no names of parameters: compile with -parameters, or use #p0 for the first parameter"
                        : "write one of these");
    }

    /** Returns these variables and further ones. A further variable that has the name of an argument becomes ambiguous. */
    public ExpressionVariables with(String... further) {
        Set<String> all = new LinkedHashSet<>(names);
        Set<String> clashes = new LinkedHashSet<>(ambiguous);
        EVERYWHERE.forEach(all::remove);
        for (String each : further) {
            if (!all.add(each)) {
                clashes.add(each);
            }
        }
        all.addAll(EVERYWHERE);
        return new ExpressionVariables(all, clashes, advice);
    }

    /**
     * Checks the variables that an expression names.
     *
     * @param text the attribute and the expression, for the error message
     * @throws QueueMisuseException if a variable is ambiguous, or neither exists nor is assigned in the expression itself
     */
    void check(String text, SpelNode expression) {
        Set<String> assigned = nodes(expression)
                .filter(node -> node instanceof Assign && node.getChild(0) instanceof VariableReference)
                .map(node -> name(node.getChild(0)))
                .collect(Collectors.toSet());
        List<String> used = nodes(expression)
                .filter(node -> node instanceof VariableReference || node instanceof FunctionReference)
                .map(ExpressionVariables::name)
                .toList();
        for (String name : used) {
            if (ambiguous.contains(name)) {
                throw QueueMisuseException.withAction(
                        text + " names #" + name + ", which is a variable of AcidQ and also a parameter of the method",
                        "rename the parameter"
                                + (names.contains("p0") ? ", or use its number for it, such as #p0" : ""));
            }
            if (!names.contains(name) && !assigned.contains(name)) {
                throw QueueMisuseException.withAction(
                        text + " names the variable #" + name + ", which does not exist there (there are: "
                                + names.stream().map(each -> "#" + each).collect(Collectors.joining(", ")) + ")",
                        advice);
            }
        }
    }

    private static Stream<SpelNode> nodes(SpelNode node) {
        return Stream.concat(
                Stream.of(node),
                IntStream.range(0, node.getChildCount())
                        .mapToObj(node::getChild)
                        .flatMap(ExpressionVariables::nodes));
    }

    /** Returns {@code order} of {@code #order} and {@code #order(…)}; the nodes themselves keep the name private. */
    private static String name(SpelNode reference) {
        String text = reference.toStringAST();
        int arguments = text.indexOf('(');
        return text.substring(1, arguments < 0 ? text.length() : arguments);
    }
}
