package io.acidq.spring.comingfrom;

import static io.acidq.EnqueueOptions.options;

import io.acidq.MessageQueue;
import io.acidq.spring.QueueListener;
import java.time.Duration;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** Replaces a one-time task of db-scheduler. */
@Component
class Invoicing {

    private final InvoiceRepository invoices;
    private final MessageQueue queue;

    Invoicing(InvoiceRepository invoices, MessageQueue queue) {
        this.invoices = invoices;
        this.queue = queue;
    }

    // snippet:dbScheduler
    @Transactional
    public void issue(Invoice invoice) {
        invoices.insert(invoice);
        queue.enqueue(
                "invoice.remind",
                new Reminder(invoice.id()),
                options().key("invoice-" + invoice.id()).delay(Duration.ofDays(30)));
    }

    @QueueListener(queue = "invoice.remind", retry = "reminders")
    void remind(Reminder reminder) {
        invoices.markReminded(reminder.invoice());
    }
    // /snippet
}
