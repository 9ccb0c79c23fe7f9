package io.acidq.benchmarks.candidate.acidq;

import io.acidq.EnqueueOptions;
import io.acidq.MessageQueue;
import io.acidq.NewMessage;
import io.acidq.benchmarks.candidate.Backlog;
import io.acidq.benchmarks.candidate.BenchmarkMessage;
import io.acidq.benchmarks.candidate.BusinessRows;
import io.acidq.benchmarks.candidate.CandidateAdapter;
import io.acidq.benchmarks.candidate.SendBatch;
import io.acidq.benchmarks.candidate.TableFill;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/** Enqueues letters in transactions of the application, and knows which of them are there. */
abstract class EnqueueingAdapter implements CandidateAdapter {

    private static final int AT_ONCE = 1000;

    private final Host host;
    private final FilledTables tables;

    EnqueueingAdapter(Host host) {
        this.host = host;
        this.tables = new FilledTables(host.pool());
    }

    /** To enqueue by. */
    abstract MessageQueue queue();

    static String name(int queue) {
        return "bench." + queue;
    }

    @Override
    public void send(SendBatch sendBatch) throws Exception {
        host.inTransaction(() -> {
            if (sendBatch.business()) {
                BusinessRows.insert(host.connection(), sendBatch.messages());
            }
            enqueue(sendBatch.messages());
        });
    }

    private void enqueue(List<BenchmarkMessage> benchmarkMessages) {
        if (benchmarkMessages.size() == 1) {
            BenchmarkMessage benchmarkMessage = benchmarkMessages.get(0);
            queue().enqueue(name(benchmarkMessage.queue()), benchmarkMessage.text(), options(benchmarkMessage));
            return;
        }
        Map<Integer, List<NewMessage>> byQueue = new LinkedHashMap<>();
        for (BenchmarkMessage benchmarkMessage : benchmarkMessages) {
            byQueue.computeIfAbsent(benchmarkMessage.queue(), q -> new ArrayList<>())
                    .add(new NewMessage(benchmarkMessage.text(), options(benchmarkMessage)));
        }
        byQueue.forEach((number, messages) -> queue().enqueueAll(name(number), messages));
    }

    private static EnqueueOptions options(BenchmarkMessage benchmarkMessage) {
        EnqueueOptions options = EnqueueOptions.options();
        String key = benchmarkMessage.messageKey();
        String orderingKey = benchmarkMessage.orderingKey();
        options = key == null ? options : options.key(key);
        return orderingKey == null ? options : options.orderingKey(orderingKey);
    }

    @Override
    public void fill(Backlog backlog) throws Exception {
        for (long first = 0; first < backlog.count(); first += AT_ONCE) {
            send(new SendBatch(backlog.part(first, AT_ONCE), false));
        }
    }

    @Override
    public void fillTables(TableFill tableFill) throws Exception {
        List<NewMessage> tomorrow = tables.scheduled(AT_ONCE);
        for (long made = 0; made < tableFill.scheduled(); made += AT_ONCE) {
            int some = (int) Math.min(AT_ONCE, tableFill.scheduled() - made);
            host.inTransaction(() -> queue().enqueueAll(name(0), tomorrow.subList(0, some)));
        }
        tables.fillTables(name(0), tableFill);
    }

    @Override
    public void forEachRemaining(LongConsumer letters) throws SQLException {
        tables.forEachRemaining(letters);
    }

    @Override
    public Map<Integer, Long> claims() throws SQLException {
        return tables.claims();
    }
}
