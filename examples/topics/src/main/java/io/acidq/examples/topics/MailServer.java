package io.acidq.examples.topics;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.stereotype.Component;

/** A mail server that is down at first. */
@Component
class MailServer {

    private final List<String> sent = new CopyOnWriteArrayList<>();
    private volatile boolean isUp;

    void send(String customer, String text) {
        if (!isUp) {
            throw new IllegalStateException("the mail server is down");
        }
        sent.add(customer + ": " + text);
    }

    void repair() {
        isUp = true;
    }

    int sent() {
        return sent.size();
    }
}
