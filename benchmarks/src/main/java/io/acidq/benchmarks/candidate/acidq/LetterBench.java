package io.acidq.benchmarks.candidate.acidq;

import io.acidq.EnqueueOptions;
import io.acidq.MessageQueue;
import io.acidq.NewMessage;
import io.acidq.benchmarks.candidate.Bench;
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

/** Enqueues letters in transactions of the application, and knows which of them are there. */
abstract class LetterBench implements Bench {

    private static final int AT_ONCE = 1000;

    private final Host host;
    private final RestTables tables;

    LetterBench(Host host) {
        this.host = host;
        this.tables = new RestTables(host.pool());
    }

    /** To enqueue by. */
    abstract MessageQueue queue();

    static String name(int queue) {
        return "bench." + queue;
    }

    @Override
    public void place(Parcel parcel) throws Exception {
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
            queue().enqueue(name(letter.queue()), letter.text(), options(letter));
            return;
        }
        Map<Integer, List<NewMessage>> byQueue = new LinkedHashMap<>();
        for (Letter letter : letters) {
            byQueue.computeIfAbsent(letter.queue(), q -> new ArrayList<>())
                    .add(new NewMessage(letter.text(), options(letter)));
        }
        byQueue.forEach((number, messages) -> queue().enqueueAll(name(number), messages));
    }

    private static EnqueueOptions options(Letter letter) {
        EnqueueOptions options = EnqueueOptions.options();
        String key = letter.messageKey();
        String orderingKey = letter.orderingKey();
        options = key == null ? options : options.key(key);
        return orderingKey == null ? options : options.orderingKey(orderingKey);
    }

    @Override
    public void fill(Stock stock) throws Exception {
        for (long first = 0; first < stock.count(); first += AT_ONCE) {
            place(new Parcel(stock.part(first, AT_ONCE), false));
        }
    }

    @Override
    public void litter(Remains remains) throws Exception {
        List<NewMessage> tomorrow = tables.scheduled(AT_ONCE);
        for (long made = 0; made < remains.scheduled(); made += AT_ONCE) {
            int some = (int) Math.min(AT_ONCE, remains.scheduled() - made);
            host.inTransaction(() -> queue().enqueueAll(name(0), tomorrow.subList(0, some)));
        }
        tables.litter(name(0), remains);
    }

    @Override
    public void left(LongConsumer letters) throws SQLException {
        tables.left(letters);
    }

    @Override
    public Map<Integer, Long> claims() throws SQLException {
        return tables.claims();
    }
}
