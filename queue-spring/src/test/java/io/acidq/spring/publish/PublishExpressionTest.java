package io.acidq.spring.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.MessageRejectedException;
import io.acidq.QueueMisuseException;
import io.acidq.spring.Publish;
import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** The expressions of {@link Publish}: one that named a variable that does not exist published nothing, or ignored its condition, without a word. */
class PublishExpressionTest {

    record Order(long id, Boolean test) {}

    private final FakeStore store = new FakeStore();
    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

    @AfterEach
    void close() {
        context.close();
    }

    static class Key {
        @Publish(queue = "q", key = "#ordr.id")
        public Order place(Order order) {
            return order;
        }
    }

    static class OrderingKey {
        @Publish(queue = "q", orderingKey = "'c' + #ordr?.id")
        public Order place(Order order) {
            return order;
        }
    }

    static class Delayed {
        @Publish(queue = "q", delay = "#ordr")
        public Order place(Order order) {
            return order;
        }
    }

    static class At {
        @Publish(queue = "q", at = "#ordr")
        public Order place(Order order) {
            return order;
        }
    }

    static class Headers {
        @Publish(
                queue = "q",
                headers = {"source='web'", "order=#ordr?.id"})
        public Order place(Order order) {
            return order;
        }
    }

    static class OnCondition {
        @Publish(queue = "q", condition = "#ordr?.id > 10 or #result.id > 10")
        public Order place(Order order) {
            return order;
        }
    }

    static class Unless {
        @Publish(queue = "q", unless = "#ordr?.test")
        public Order place(Order order) {
            return order;
        }
    }

    static class Payload {
        @Publish(queue = "q", payload = "#ordr")
        public Order place(Order order) {
            return order;
        }
    }

    static class Inner {
        @Publish(queue = "q", payload = "{#result.id}.![#ordr ?: #this]")
        public Order place(Order order) {
            return order;
        }
    }

    static class Function {
        @Publish(queue = "q", key = "#ordr(#order.id)")
        public Order place(Order order) {
            return order;
        }
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                Key.class,
                OrderingKey.class,
                Delayed.class,
                At.class,
                Headers.class,
                OnCondition.class,
                Unless.class,
                Payload.class,
                Inner.class,
                Function.class
            })
    void refusesAtStartAVariableThatDoesNotExist(Class<?> bean) {
        assertRefused(
                bean,
                bean.getName() + ".place(Order): ",
                "#ordr",
                "' names the variable #ordr, which does not exist there (there are: #result, #order, #p0, #a0",
                "#root, #this): write one of these");
    }

    @Test
    void namesTheAttributeAndTheExpressionOfAnUnknownVariable() {
        assertRefused(Key.class, ": key '#ordr.id' names");
        assertRefused(Delayed.class, ": delay '#ordr' names");
        assertRefused(Headers.class, ": headers order '#ordr?.id' names");
        assertRefused(Unless.class, ": unless '#ordr?.test' names", "#a0, #payload, #root, #this");
        assertRefused(Payload.class, ": payload '#ordr' names", "#a0, #root, #this");
    }

    static class PayloadInCondition {
        @Publish(queue = "q", condition = "#payload?.id > 10 or true")
        public Order place(Order order) {
            return order;
        }
    }

    static class PayloadInPayload {
        @Publish(queue = "q", payload = "#payload?.id")
        public Order place(Order order) {
            return order;
        }
    }

    @Test
    void refusesThePayloadWhereItIsNotKnownYet() {
        assertRefused(PayloadInCondition.class, "condition", "the variable #payload, which does not exist there");
        assertRefused(PayloadInPayload.class, "payload '#payload?.id'", "the variable #payload, which does not");
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
    void takesEveryVariableThatExists() {
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

    /** The second annotation found the last payload of the first under that name. */
    @Test
    void keepsThePayloadOfOneAnnotationFromTheNext() {
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

    /** SpEL throws what such a method throws as it is, so a bare NullPointerException came out of the call. */
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

    @Test
    void tellsToCompileWithNamesOfParametersWhereThereAreNone(@TempDir Path directory) throws Exception {
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
    void takesNumbersOfParametersWhereThereAreNoNames(@TempDir Path directory) throws Exception {
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

    /** Compiles a class as a build does that does not give javac {@code -parameters}. */
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
