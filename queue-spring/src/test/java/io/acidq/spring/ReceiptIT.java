package io.acidq.spring;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.Enqueued;
import io.acidq.MessageQueue;
import io.acidq.QueueMisuseException;
import io.acidq.Receipt;
import io.acidq.Receipt.State;
import io.acidq.Receipts;
import io.acidq.testservers.ServerKind;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** Receipts and results by annotations. */
@ParameterizedClass
@EnumSource(ServerKind.class)
class ReceiptIT {

    private final ServerKind kind;

    ReceiptIT(ServerKind kind) {
        this.kind = kind;
    }

    record Request(long id) {}

    record Quote(long id, long price) {}

    static class Shop {

        // snippet:publish
        @Transactional
        @Publish(queue = "quotes", key = "#result.id", result = "1h")
        public Request ask(Request request) {
            return request;
        }
        // /snippet

        @Transactional
        @Publish(queue = "quotes", key = "#result.id", receipt = "${receipts:2d}")
        public Request askForAReceipt(Request request) {
            return request;
        }
    }

    static class Pricing {

        // snippet:listen
        @QueueListener(queue = "quotes")
        Quote price(Request request) {
            return new Quote(request.id(), request.id() * 10);
        }
        // /snippet
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    @Import({Shop.class, Pricing.class})
    static class ShopConfiguration {}

    @Test
    void keepsTheReturnValueOfAListenerMethodAsTheResult() throws Exception {
        try (QueueApplication application = new QueueApplication(kind, ShopConfiguration.class)) {
            MessageQueue queue = application.bean(MessageQueue.class);
            Receipts receipts = application.bean(Receipts.class);
            TransactionTemplate template = application.transaction;
            // snippet:await
            Enqueued enqueued = template.execute(
                    status -> queue.enqueue("quotes", new Request(7), options().result(Duration.ofHours(1))));
            Optional<Quote> quote = receipts.await(enqueued.id(), Duration.ofSeconds(30))
                    .flatMap(receipt -> receipt.result(Quote.class));
            // /snippet
            assertThat(quote).contains(new Quote(7, 70));
        }
    }

    @Test
    void findsTheReceiptOfAnAnnotatedMethodByTheMessageKey() {
        try (QueueApplication application = new QueueApplication(kind, ShopConfiguration.class)) {
            application.bean(Shop.class).ask(new Request(8));
            application.bean(Shop.class).askForAReceipt(new Request(9));
            application.drained();
            Receipts receipts = application.bean(Receipts.class);
            assertThat(receipts.findByKey("quotes", "8").flatMap(receipt -> receipt.result(Quote.class)))
                    .contains(new Quote(8, 80));
            Receipt receipt = receipts.findByKey("quotes", "9").orElseThrow();
            assertThat(receipt.state()).isEqualTo(State.DONE);
            assertThat(receipt.result(Quote.class)).isEmpty();
            assertThat(receipt.keptUntil())
                    .contains(receipt.endedAt().orElseThrow().plus(Duration.ofDays(2)));
        }
    }

    static class Wrong {
        @Transactional
        @Publish(queue = "quotes", receipt = "1h", result = "1h")
        public Request ask(Request request) {
            return request;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    @Import(Wrong.class)
    static class WrongConfiguration {}

    @Test
    void refusesAReceiptAndAResult() {
        assertThatThrownBy(() -> new QueueApplication(kind, WrongConfiguration.class).close())
                .hasRootCauseInstanceOf(QueueMisuseException.class)
                .hasStackTraceContaining("result means a receipt too: remove receipt");
    }
}
