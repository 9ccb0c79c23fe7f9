package io.acidq.archunit;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Calls that wait for another machine, or for nothing at all. */
final class RemoteCalls {

    private static final Map<String, Set<String>> METHODS = Map.of(
            "java.lang.Thread", Set.of("sleep"),
            "java.util.concurrent.TimeUnit", Set.of("sleep"),
            "java.util.concurrent.locks.LockSupport", Set.of("parkNanos", "parkUntil"),
            "java.net.URL", Set.of("openStream", "openConnection", "getContent"),
            "java.net.http.HttpClient", Set.of("send", "sendAsync"),
            "okhttp3.OkHttpClient", Set.of("newCall", "newWebSocket"));

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
    private static final Set<String> CLIENT_MARKS = Set.of(
            "org.springframework.cloud.openfeign.FeignClient",
            "org.springframework.web.service.annotation.HttpExchange",
            "feign.RequestLine");

    private RemoteCalls() {}

    static boolean isOne(JavaCodeUnitAccess<?> call, Set<String> also) {
        JavaClass owner = call.getTargetOwner();
        return METHODS.entrySet().stream().anyMatch(each -> Calls.isOf(call, each.getKey(), each.getValue()))
                || Stream.concat(TYPES.stream(), also.stream()).anyMatch(owner::isAssignableTo)
                || isClient(owner);
    }

    private static boolean isClient(JavaClass type) {
        return !Marks.on(type, CLIENT_MARKS).isEmpty()
                || (type.isInterface()
                        && type.getMethods().stream()
                                .anyMatch(method ->
                                        !Marks.on(method, CLIENT_MARKS).isEmpty()));
    }
}
