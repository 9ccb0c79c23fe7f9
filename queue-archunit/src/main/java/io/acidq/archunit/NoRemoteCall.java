package io.acidq.archunit;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.EvaluationResult;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The rule of {@link QueueRules#noRemoteCallInListeners()}. {@link #alsoForbidding} adds the application's own clients. Immutable and
 * thread-safe.
 */
public final class NoRemoteCall implements ArchRule {

    private final Set<String> forbidden;
    private final ArchRule rule;

    NoRemoteCall(Set<String> forbidden) {
        this.forbidden = forbidden;
        this.rule = classes()
                .should(new Condition(forbidden))
                .as("transactional listeners make no remote call and do not wait")
                .because(
                        "the transaction holds locks and a connection meanwhile, and a rollback does not undo the remote call");
    }

    /**
     * Returns a rule that also forbids calls of these types and their subtypes. This rule does not change.
     *
     * @param types fully qualified names of classes or interfaces
     * @throws IllegalArgumentException if a type is not on the classpath of the tests
     */
    public NoRemoteCall alsoForbidding(String... types) {
        Stream.of(types).forEach(NoRemoteCall::requireKnown);
        return new NoRemoteCall(
                Stream.concat(forbidden.stream(), Stream.of(types)).collect(Collectors.toUnmodifiableSet()));
    }

    /** Without this check a mistyped name would forbid nothing. */
    private static void requireKnown(String type) {
        if (ConfigurationFile.find(type.replace('.', '/') + ".class") == null) {
            throw new IllegalArgumentException(type + " is not on the classpath of the tests: give the full name of a"
                    + " class or interface, for a nested one as com.example.Outer$Inner");
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

        private final Set<String> forbidden;

        Condition(Set<String> forbidden) {
            super("make no remote call and not wait in transactional listeners");
            this.forbidden = forbidden;
        }

        @Override
        public void check(JavaClass type, ConditionEvents events) {
            CallPath.ofListeners(type)
                    .forEach(callPath -> callPath.calls().stream()
                            .filter(call -> RemoteCalls.matches(call, forbidden))
                            .forEach(call -> events.add(SimpleConditionEvent.violated(
                                    type,
                                    "the listener " + callPath.route() + " calls " + CallGraph.name(call)
                                            + " in its transaction: make the listener external (mode = \"external\", Listener.external()),"
                                            + " or enqueue a message for an external listener"))));
        }
    }

    /** Calls that wait for another machine, for another thread or for time to pass. */
    private static final class RemoteCalls {

        private static final Map<String, Set<String>> METHODS = Map.of(
                "java.net.URL", Set.of("openStream", "openConnection", "getContent"),
                "java.net.http.HttpClient", Set.of("send", "sendAsync"),
                "okhttp3.OkHttpClient", Set.of("newCall", "newWebSocket"));

        /** Waiting for another thread is included: it waits for the work of that thread, and for a free thread in its pool. */
        private static final Map<String, Set<String>> WAITS = Map.ofEntries(
                Map.entry("java.lang.Thread", Set.of("sleep", "join")),
                Map.entry("java.lang.Process", Set.of("waitFor")),
                Map.entry("java.util.concurrent.TimeUnit", Set.of("sleep", "timedJoin", "timedWait")),
                Map.entry("java.util.concurrent.locks.LockSupport", Set.of("park", "parkNanos", "parkUntil")),
                Map.entry(
                        "java.util.concurrent.locks.Condition",
                        Set.of("await", "awaitNanos", "awaitUntil", "awaitUninterruptibly")),
                Map.entry("java.util.concurrent.Future", Set.of("get", "join", "invoke")),
                Map.entry("java.util.concurrent.CompletableFuture", Set.of("get", "join")),
                Map.entry("java.util.concurrent.CountDownLatch", Set.of("await")),
                Map.entry("java.util.concurrent.CyclicBarrier", Set.of("await")),
                Map.entry(
                        "java.util.concurrent.Phaser",
                        Set.of("arriveAndAwaitAdvance", "awaitAdvance", "awaitAdvanceInterruptibly")),
                Map.entry("java.util.concurrent.Exchanger", Set.of("exchange")),
                Map.entry("java.util.concurrent.Semaphore", Set.of("acquire", "acquireUninterruptibly")),
                Map.entry("java.util.concurrent.BlockingQueue", Set.of("take")),
                Map.entry("java.util.concurrent.BlockingDeque", Set.of("takeFirst", "takeLast")),
                Map.entry("java.util.concurrent.CompletionService", Set.of("take")),
                Map.entry(
                        "java.util.concurrent.ExecutorService", Set.of("awaitTermination", "invokeAll", "invokeAny")));

        /** Types whose every method is a remote call, also in subtypes. They are given by name because few applications have all of them. */
        private static final Set<String> TYPES = Set.of(
                "java.net.URLConnection",
                "java.net.Socket",
                "java.net.DatagramSocket",
                "java.nio.channels.SocketChannel",
                "org.springframework.web.client.RestOperations",
                "org.springframework.web.client.RestTemplate",
                "org.springframework.web.client.RestClient",
                "org.springframework.web.reactive.function.client.WebClient",
                "org.apache.http.client.HttpClient",
                "org.apache.http.impl.client.CloseableHttpClient",
                "org.apache.hc.client5.http.classic.HttpClient",
                "org.apache.hc.client5.http.impl.classic.CloseableHttpClient",
                "org.apache.hc.client5.http.async.HttpAsyncClient",
                "okhttp3.Call",
                "feign.Client",
                "io.grpc.stub.AbstractStub",
                "io.grpc.Channel",
                "org.springframework.kafka.core.KafkaOperations",
                "org.springframework.kafka.core.KafkaTemplate",
                "org.apache.kafka.clients.producer.Producer",
                "org.apache.kafka.clients.producer.KafkaProducer",
                "org.springframework.amqp.core.AmqpTemplate",
                "org.springframework.amqp.rabbit.core.RabbitTemplate",
                "com.rabbitmq.client.Channel",
                "org.springframework.jms.core.JmsOperations",
                "org.springframework.jms.core.JmsTemplate",
                "org.springframework.jms.core.JmsClient",
                "jakarta.jms.MessageProducer",
                "jakarta.jms.JMSProducer",
                "org.springframework.mail.MailSender",
                "org.springframework.mail.javamail.JavaMailSender",
                "jakarta.mail.Transport",
                "org.springframework.data.redis.core.RedisOperations",
                "org.springframework.data.redis.core.RedisTemplate",
                "software.amazon.awssdk.core.SdkClient");

        /** Annotations of interfaces whose methods are HTTP calls. */
        private static final Set<String> CLIENT_ANNOTATIONS = Set.of(
                "org.springframework.cloud.openfeign.FeignClient",
                "org.springframework.web.service.annotation.HttpExchange",
                "feign.RequestLine");

        private RemoteCalls() {}

        static boolean matches(JavaCodeUnitAccess<?> call, Set<String> forbidden) {
            JavaClass owner = call.getTargetOwner();
            return CallGraph.isOf(call, METHODS)
                    || CallGraph.isOf(call, WAITS)
                    || isWaitOfObject(call)
                    || Stream.concat(TYPES.stream(), forbidden.stream()).anyMatch(owner::isAssignableTo)
                    || isClient(owner);
        }

        /** Only {@code Object.wait}: every class is a subtype of Object, and may have its own method {@code wait}. */
        private static boolean isWaitOfObject(JavaCodeUnitAccess<?> call) {
            return call.getTargetOwner().isEquivalentTo(Object.class)
                    && call.getTarget().getName().equals("wait");
        }

        /** Whether the interface or its methods, including inherited ones, are annotated. A class that implements such an interface is the server. */
        private static boolean isClient(JavaClass type) {
            return !AnnotationFinder.on(type, CLIENT_ANNOTATIONS).isEmpty()
                    || (type.isInterface()
                            && Stream.concat(Stream.of(type), type.getAllRawInterfaces().stream())
                                    .anyMatch(RemoteCalls::isAnnotatedClient));
        }

        private static boolean isAnnotatedClient(JavaClass type) {
            return !AnnotationFinder.on(type, CLIENT_ANNOTATIONS).isEmpty()
                    || type.getMethods().stream()
                            .anyMatch(method -> !AnnotationFinder.on(method, CLIENT_ANNOTATIONS)
                                    .isEmpty());
        }
    }
}
