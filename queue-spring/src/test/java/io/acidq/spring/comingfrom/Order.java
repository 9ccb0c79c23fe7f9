package io.acidq.spring.comingfrom;

/** The records and repositories of the code of the page coming-from.md. They have no behaviour; the code is only compiled. */
record Order(long id, String customer, String article) {}

record NewOrder(String customer, String article) {}

record ShipOrder(long order) {}

record Reminder(long invoice) {}

record Receipt(long order) {}

record Invoice(long id, long cents) {}

interface OrderRepository {
    Order insert(NewOrder order);

    void markPaid(long order);
}

interface ShipmentRepository {
    void insert(long order);
}

interface InvoiceRepository {
    void insert(Invoice invoice);

    void markReminded(long invoice);
}

interface MailProvider {
    void sendReceipt(long order, String idempotencyKey);
}
