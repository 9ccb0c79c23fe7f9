package io.acidq.archunit;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Calls that wait for another machine, or for nothing at all. */
final class RemoteCalls {

    private static final Map<String, Set<String>> METHODS = Map.of(
            "java.net.URL", Set.of("openStream", "openConnection", "getContent"),
            "java.net.http.HttpClient", Set.of("send", "sendAsync"),
            "okhttp3.OkHttpClient", Set.of("newCall", "newWebSocket"));

    /** Waiting for another thread is waiting for what it does, and for a thread to be free. */
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
            Map.entry("java.util.concurrent.ExecutorService", Set.of("awaitTermination", "invokeAll", "invokeAny")));

    /** Every use of one of these, and of what extends it; by name, since few applications have them all. */
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

    /** Interfaces whose methods become calls over HTTP. */
    private static final Set<String> CLIENT_ANNOTATIONS = Set.of(
            "org.springframework.cloud.openfeign.FeignClient",
            "org.springframework.web.service.annotation.HttpExchange",
            "feign.RequestLine");

    private RemoteCalls() {}

    static boolean isOne(JavaCodeUnitAccess<?> call, Set<String> also) {
        JavaClass owner = call.getTargetOwner();
        return CallGraph.isOf(call, METHODS)
                || CallGraph.isOf(call, WAITS)
                || isWaitOfObject(call)
                || Stream.concat(TYPES.stream(), also.stream()).anyMatch(owner::isAssignableTo)
                || isClient(owner);
    }

    /** Everything is an Object: what others call {@code wait} is not meant. */
    private static boolean isWaitOfObject(JavaCodeUnitAccess<?> call) {
        return call.getTargetOwner().isEquivalentTo(Object.class)
                && call.getTarget().getName().equals("wait");
    }

    /** By the interface or its methods, inherited ones too; a class that has such an interface is the other end. */
    private static boolean isClient(JavaClass type) {
        return !AnnotationFinder.on(type, CLIENT_ANNOTATIONS).isEmpty()
                || (type.isInterface()
                        && Stream.concat(Stream.of(type), type.getAllRawInterfaces().stream())
                                .anyMatch(RemoteCalls::isAnnotatedClient));
    }

    private static boolean isAnnotatedClient(JavaClass type) {
        return !AnnotationFinder.on(type, CLIENT_ANNOTATIONS).isEmpty()
                || type.getMethods().stream()
                        .anyMatch(method ->
                                !AnnotationFinder.on(method, CLIENT_ANNOTATIONS).isEmpty());
    }
}
