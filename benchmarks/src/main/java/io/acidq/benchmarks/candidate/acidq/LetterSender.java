package io.acidq.benchmarks.candidate.acidq;

import io.acidq.EnqueueOptions;
import io.acidq.MessageQueue;
import io.acidq.NewMessage;
import io.acidq.benchmarks.candidate.BusinessRows;
import io.acidq.benchmarks.candidate.Letter;
import io.acidq.benchmarks.candidate.Parcel;
import io.acidq.benchmarks.candidate.Remains;
import io.acidq.benchmarks.candidate.Stock;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/** Enqueues letters in transactions of the application, and knows which of them are there. Thread-safe. */
final class LetterSender {

    private static final int AT_ONCE = 1000;

    private final Host host;
    private final MessageQueue queue;
    private final RestTables tables;

    LetterSender(Host host, MessageQueue queue) {
        this.host = host;
        this.queue = queue;
        this.tables = new RestTables(host.pool());
    }

    static String name(int queue) {
        return "bench." + queue;
    }

    void place(Parcel parcel) throws Exception {
        host.inTransaction(() -> {
            if (parcel.business()) {
                BusinessRows.insert(host.connection(), parcel.letters());
            }
            enqueue(parcel.letters());
        });
    }

    private void enqueue(List<Letter> letters) {
        if (letters.size() == 1) {
            Letter letter = letters.get(0);
            queue.enqueue(name(letter.queue()), letter.text(), options(letter));
            return;
        }
        Map<Integer, List<NewMessage>> byQueue = new LinkedHashMap<>();
        for (Letter letter : letters) {
            byQueue.computeIfAbsent(letter.queue(), q -> new ArrayList<>())
                    .add(new NewMessage(letter.text(), options(letter)));
        }
        byQueue.forEach((number, messages) -> queue.enqueueAll(name(number), messages));
    }

    private static EnqueueOptions options(Letter letter) {
        EnqueueOptions options = EnqueueOptions.options();
        String key = letter.messageKey();
        String orderingKey = letter.orderingKey();
        options = key == null ? options : options.key(key);
        return orderingKey == null ? options : options.orderingKey(orderingKey);
    }

    void fill(Stock stock) throws Exception {
        for (long first = 0; first < stock.count(); first += AT_ONCE) {
            place(new Parcel(stock.part(first, AT_ONCE), false));
        }
    }

    void litter(Remains remains) throws Exception {
        List<NewMessage> tomorrow = tables.scheduled(AT_ONCE);
        for (long made = 0; made < remains.scheduled(); made += AT_ONCE) {
            int some = (int) Math.min(AT_ONCE, remains.scheduled() - made);
            host.inTransaction(() -> queue.enqueueAll(name(0), tomorrow.subList(0, some)));
        }
        tables.litter(name(0), remains);
    }

    void left(LongConsumer letters) throws SQLException {
        tables.left(letters);
    }

    Map<Integer, Long> claims() throws SQLException {
        return tables.claims();
    }
}
