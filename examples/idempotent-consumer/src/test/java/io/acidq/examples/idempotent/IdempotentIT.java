package io.acidq.examples.idempotent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

@ParameterizedClass
@EnumSource(ServerKind.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class IdempotentIT {

    @Parameter
    ServerKind kind;

    private ConfigurableApplicationContext context;
    private Payments payments;
    private MailService mail;
    private JdbcTemplate jdbc;

    @BeforeParameterizedClassInvocation
    void start() {
        TestDatabase database = TestServers.get(kind).createDatabase();
        context = SpringApplication.run(ReceiptsApplication.class, database.springArguments());
        payments = context.getBean(Payments.class);
        mail = context.getBean(MailService.class);
        jdbc = context.getBean(JdbcTemplate.class);
    }

    @AfterParameterizedClassInvocation
    void close() {
        context.close();
    }

    @Test
    void booksAnEventOnceThatTheWebhookBringsFourTimesAtOnce() {
        List<String> answers =
                IntStream.range(0, 4)
                        .mapToObj(i -> post("{\"eventId\":\"evt_1\",\"order\":1,\"cents\":100}"))
                        .toList()
                        .stream()
                        .map(CompletableFuture::join)
                        .toList();

        assertThat(answers).containsExactlyInAnyOrder("booked", "booked before", "booked before", "booked before");
        assertThat(paymentsOf(1)).isEqualTo(1);
    }

    @Test
    void booksAnEventOnceThatATopicDeliversAgainAfterACrash() {
        Topic topic = new Topic();
        topic.publish(new Paid("evt_21", 2, 100));
        topic.publish(new Paid("evt_22", 2, 200));

        assertThat(payments.received(topic.poll())).hasSize(2);
        // the process dies here, before it could commit the offset; meanwhile there is one more
        topic.publish(new Paid("evt_23", 2, 300));
        assertThat(payments.received(topic.poll())).extracting(Paid::eventId).containsExactly("evt_23");
        topic.commitOffset(3);

        assertThat(topic.poll()).isEmpty();
        assertThat(paymentsOf(2)).isEqualTo(3);
    }

    @Test
    void booksAnEventAgainWhoseTransactionWasRolledBack() {
        Paid event = new Paid("evt_3", 3, 100);
        TransactionTemplate transaction = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
        assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                    payments.received(event);
                    throw new IllegalStateException("out of memory, say");
                }))
                .hasMessage("out of memory, say");
        assertThat(paymentsOf(3)).isZero();

        assertThat(payments.received(event)).isTrue();

        assertThat(paymentsOf(3)).isEqualTo(1);
    }

    @Test
    void mailsOneReceiptForAnOrderThatIsPaidInPartsThoughAnAnswerIsLost() {
        assertThat(payments.received(new Paid("evt_41", 4, 100))).isTrue();
        assertThat(payments.received(new Paid("evt_42", 4, 200))).isTrue();

        await().until(() -> jdbc.queryForObject(
                        "SELECT (SELECT COUNT(*) FROM acidq_message) + (SELECT COUNT(*) FROM acidq_scheduled)",
                        Integer.class)
                == 0);
        assertThat(mail.mails()).containsOnlyOnce("receipt for order 4");
        assertThat(mail.requests())
                .as("the first answer was lost")
                .isEqualTo(mail.mails().size() + 1);
    }

    private CompletableFuture<String> post(String json) {
        String port = context.getEnvironment().getRequiredProperty("local.server.port");
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/payments"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json))
                .build();
        return HttpClient.newHttpClient()
                .sendAsync(request, HttpResponse.BodyHandlers.ofString())
                .thenApply(HttpResponse::body);
    }

    private int paymentsOf(long order) {
        return jdbc.queryForObject("SELECT COUNT(*) FROM payments WHERE order_id = ?", Integer.class, order);
    }
}
