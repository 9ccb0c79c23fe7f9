package io.acidq.examples.idempotent;

import io.acidq.Delivery;
import io.acidq.spring.QueueListener;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.springframework.stereotype.Component;

/** Sends receipts through an external mail service. The call is outside the database, so it happens at least once. */
@Component
class Receipts {

    private static final int OK = 200;

    private final HttpClient http = HttpClient.newHttpClient();
    private final MailService mail;

    Receipts(MailService mail) {
        this.mail = mail;
    }

    // snippet:external
    @QueueListener(
            queue = Payments.RECEIPT_DUE,
            mode = "external",
            retry = "mail") // no transaction is open during the call
    void send(Receipt receipt, Delivery delivery) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(mail.address())
                .timeout(Duration.ofSeconds(5))
                .header("Idempotency-Key", delivery.id().toString()) // the same at every attempt
                .POST(HttpRequest.BodyPublishers.ofString("receipt for order " + receipt.order()))
                .build();
        HttpResponse<Void> answer = http.send(request, HttpResponse.BodyHandlers.discarding());
        if (answer.statusCode() != OK) {
            throw new IOException("the mail service answered " + answer.statusCode());
        }
    }
    // /snippet
}
