package io.acidq.spring.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.MessageRejectedException;
import io.acidq.QueueMisuseException;
import io.acidq.spring.Publish;
import io.acidq.spring.expression.AnnotationAttributes;
import io.acidq.spring.expression.ExpressionVariables;
import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.annotation.MergedAnnotation;

/** The expressions of {@link Publish}. With a variable that does not exist, nothing was published, or the condition was ignored, without an error. */
class PublishExpressionTest {

    record Order(long id, Boolean test) {}

    private final FakeStore store = new FakeStore();
    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

    @AfterEach
    void close() {
        context.close();
    }

    @SuppressWarnings("unused")
    private static Order place(Order order) {
        return order;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "key | #ordr.id | #payload",
                "key | #ordr(#order.id) | #payload",
                "orderingKey | 'c' + #ordr?.id | #payload",
                "delay | #ordr | #payload",
                "at | #ordr | #payload",
                "unless | #ordr?.test | #payload",
                "condition | #ordr?.id > 10 or #result.id > 10 |",
                "payload | #ordr |",
                "payload | {#result.id}.![#ordr ?: #this] |",
            })
    void refusesAVariableThatDoesNotExist(String attribute, String expression, String payload) {
        assertRefused(
                attribute,
                expression,
                attribute + " '" + expression
                        + "' names the variable #ordr, which does not exist there (there are: #result, #order, #p0, #a0, "
                        + (payload == null ? "" : payload + ", ") + "#root, #this): write one of these");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "headers | order=#ordr?.id | headers order '#ordr?.id' names the variable #ordr",
                "condition | #payload?.id > 10 or true | the variable #payload, which does not exist there",
                "payload | #payload?.id | payload '#payload?.id' names the variable #payload, which does not exist there",
                "key | #result. | key '#result.'",
                "delay | 5x | the delay '5x' is no duration",
                "expiresAfter | 5x | the expiresAfter '5x' is no duration",
                "expiresAfter | soon | the expiresAfter 'soon' is no duration: write 500ms",
                "expiresAfter | 0s | expiresAfter must be 1 ms to 1000 years, was PT0S",
                "delay | 30 | '30': return a Duration or a text such as 30s",
                "delay | '30' | '30': return a Duration or a text such as 30s",
                "delay | -30s | PT-30S",
                "delay | -30 | '-30': return a Duration or a text such as 30s",
                "headers | #result | the header '#result' is not of the form name=expression",
                "headers | source='2' | the header 'source' is set twice",
            })
    void refusesAWrongAttribute(String attribute, String written, String text) {
        assertRefused(attribute, written, text);
    }

    private void assertRefused(String attribute, String written, String text) {
        Object value = attribute.equals("headers") ? new String[] {"source='web'", written} : written;
        MergedAnnotation<Publish> publish = MergedAnnotation.of(Publish.class, Map.of("queue", "q", attribute, value));
        assertThatThrownBy(() -> new PublishOperation(
                        "@Publish on place",
                        publish,
                        new AnnotationAttributes(context.getBeanFactory()),
                        ExpressionVariables.of(PublishExpressionTest.class.getDeclaredMethod("place", Order.class))))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageStartingWith("@Publish on place: ")
                .hasMessageContaining(text);
    }

    static class NoResult {
        @Publish(queue = "q", payload = "#result")
        public void place(Order order) {}
    }

    @Test
    void refusesTheResultOfAMethodThatReturnsNothing() {
        assertRefused(NoResult.class, "NoResult.place(Order): payload '#result'", "(there are: #order, #p0, #a0");
    }

    static class Legal {
        @Publish(
                queue = "q",
                key = "(#first = #ids[0]) + '-' + #first",
                orderingKey = "#ids.?[#this > 1].![#this + #root.args[1]][0]",
                delay = "#a1",
                headers = {"source='web'", "name=#root.methodName"},
                condition = "#result.size() == 2 and #p0 != null",
                unless = "#payload > 2")
        public List<Integer> place(List<Integer> ids, String delay) {
            return ids;
        }
    }

    @Test
    void acceptsEveryVariableThatExists() {
        start(Legal.class).place(List.of(2, 3), "30s");

        assertThat(store.only().payload()).isEqualTo(2);
        assertThat(store.only().options().key()).isEqualTo("2-2");
        assertThat(store.only().options().orderingKey()).isEqualTo("230s");
        assertThat(store.only().options().delay()).isEqualTo(Duration.ofSeconds(30));
        assertThat(store.only().options().headers()).containsEntry("name", "place");
    }

    static class CalledPayload {
        @Publish(queue = "parts", payload = "#numbers.![#this + 1]", key = "'part-' + #payload")
        @Publish(queue = "whole", payload = "#numbers", condition = "#numbers.size() == 2")
        public void place(List<Integer> numbers) {}
    }

    /** The second annotation saw the last payload of the first. */
    @Test
    void hidesThePayloadOfOneAnnotationFromTheNext() {
        start(CalledPayload.class).place(List.of(1, 2));

        assertThat(store.payloads()).containsExactly(2, 3, 1, 2);
        assertThat(store.queues()).containsExactly("parts", "parts", "whole", "whole");
    }

    static class Undecided {
        @Publish(queue = "q", condition = "#order.test")
        public Order onCondition(Order order) {
            return order;
        }

        @Publish(queue = "q", unless = "#payload.test")
        public Order unless(Order order) {
            return order;
        }

        @Publish(queue = "q", condition = "#order.id")
        public Order number(Order order) {
            return order;
        }

        @Publish(queue = "q", unless = "'true'")
        public Order text(Order order) {
            return order;
        }
    }

    @Test
    void failsTheCallWhoseConditionIsNeitherTrueNorFalse() {
        Undecided undecided = start(Undecided.class);
        Order order = new Order(1, null);

        assertFails(
                () -> undecided.onCondition(order),
                "Undecided.onCondition(Order): condition '#order.test' evaluates to null, which is neither true nor false");
        assertFails(() -> undecided.unless(order), "Undecided.unless(Order): unless '#payload.test' evaluates to null");
        assertFails(() -> undecided.number(order), "condition '#order.id' evaluates to a java.lang.Long");
        assertFails(() -> undecided.text(order), "unless ''true'' evaluates to a java.lang.String");

        undecided.onCondition(new Order(2, true));
        undecided.unless(new Order(3, false));
        assertThat(store.payloads()).containsExactly(new Order(2, true), new Order(3, false));
    }

    static class Throwing {

        public String name(Order order) {
            return order.test().toString();
        }

        @Publish(queue = "q", key = "#root.target.name(#order)")
        public Order place(Order order) {
            return order;
        }
    }

    /** SpEL rethrows the exception of such a method, so the call failed with a plain NullPointerException. */
    @Test
    void namesTheExpressionWhoseMethodThrows() {
        Throwing throwing = start(Throwing.class);

        assertThatThrownBy(() -> throwing.place(new Order(1, null)))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining("@Publish on " + Throwing.class.getName() + ".place(Order): ")
                .hasMessageContaining(
                        "key '#root.target.name(#order)' cannot be evaluated: java.lang.NullPointerException")
                .hasRootCauseInstanceOf(NullPointerException.class);
        assertThat(store.published).isEmpty();
    }

    static class WithoutUnit {
        @Publish(queue = "q", delay = "#delay")
        public Order place(Order order, String delay) {
            return order;
        }
    }

    @Test
    void namesTheAnnotationWhoseDelayIsFoundToBeWrongDuringTheCall() {
        WithoutUnit withoutUnit = start(WithoutUnit.class);
        Order order = new Order(1, null);

        assertThatThrownBy(() -> withoutUnit.place(order, "5x"))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll(
                        "@Publish on " + WithoutUnit.class.getName() + ".place(", "the delay '5x' is no duration");
        assertFails(() -> withoutUnit.place(order, "5"), "delay '#delay' evaluates to '5': return a Duration");
    }

    @Test
    void advisesToCompileWithNamesOfParametersIfThereAreNone(@TempDir Path directory) throws Exception {
        try (URLClassLoader classes = withoutNames(directory, "Unnamed", """
                public class Unnamed {
                    @io.acidq.spring.Publish(queue = "q", payload = "#order")
                    public void place(String order) {}
                }
                """)) {
            assertRefused(
                    classes.loadClass("Unnamed"),
                    "@Publish on Unnamed.place(String): payload '#order' names the variable #order",
                    "(there are: #p0, #a0, #root, #this)",
                    "compile with -parameters, or use #p0");
        }
    }

    @Test
    void acceptsNumbersOfParametersIfThereAreNoNames(@TempDir Path directory) throws Exception {
        try (URLClassLoader classes = withoutNames(directory, "Numbered", """
                public class Numbered implements java.util.function.Function<String, String> {
                    @io.acidq.spring.Publish(queue = "q", payload = "#p0", key = "#a0 + #result")
                    public String apply(String order) {
                        return "r";
                    }
                }
                """)) {
            store.refresh(context, classes.loadClass("Numbered"));
            @SuppressWarnings("unchecked")
            java.util.function.Function<String, String> numbered = context.getBean(java.util.function.Function.class);

            numbered.apply("o");

            assertThat(store.only().payload()).isEqualTo("o");
            assertThat(store.only().options().key()).isEqualTo("or");
        }
    }

    /** Compiles a class without {@code -parameters}. */
    private static URLClassLoader withoutNames(Path directory, String name, String source) throws Exception {
        Path file = Files.writeString(directory.resolve(name + ".java"), source);
        String library = new File(Publish.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())
                .getPath();
        int exit = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-proc:none", "-cp", library, "-d", directory.toString(), file.toString());
        assertThat(exit).isZero();
        return new URLClassLoader(new URL[] {directory.toUri().toURL()}, PublishExpressionTest.class.getClassLoader());
    }

    private void assertRefused(Class<?> bean, String... words) {
        assertThatThrownBy(() -> {
                    try (AnnotationConfigApplicationContext own = new AnnotationConfigApplicationContext()) {
                        store.refresh(own, bean);
                    }
                })
                .cause()
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll(words);
    }

    private void assertFails(Runnable call, String words) {
        assertThatThrownBy(call::run)
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining("@Publish on ")
                .hasMessageContaining(words);
        assertThat(store.published).isEmpty();
    }

    private <T> T start(Class<T> bean) {
        store.refresh(context, bean);
        return context.getBean(bean);
    }
}
