package io.acidq.examples.mybatis;

import io.acidq.spring.QueueListener;
import java.util.List;
import org.mybatis.spring.SqlSessionTemplate;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Component;

@Component
public class Stock {

    /** Goods that have arrived: the number of their delivery note, and one line for each article. */
    public record Delivered(int note, List<String> articles) {}

    private final StockMapper one;
    private final StockMapper many;
    private final SqlSessionTemplate batchSessions;

    Stock(SqlSessionTemplate sessions, @Qualifier("batchSessions") SqlSessionTemplate batchSessions) {
        this.one = sessions.getMapper(StockMapper.class);
        this.many = batchSessions.getMapper(StockMapper.class);
        this.batchSessions = batchSessions;
    }

    // snippet:batch
    /** Writes by two factories, one of them in batches. */
    @QueueListener(queue = "delivered", concurrency = "1", retry = "stock")
    void store(Delivered delivered) {
        one.insertSeen(delivered.note(), one.countStock());
        delivered.articles().forEach(article -> many.insertStock(article, delivered.note()));
        batchSessions.flushStatements(); // here, so that what fails fails in the handler
    }
    // /snippet

    /** The same without the flush: MyBatis sends the statements at the commit. */
    @QueueListener(queue = "delivered.unflushed", concurrency = "1", retry = "stock")
    void storeAtCommit(Delivered delivered) {
        delivered.articles().forEach(article -> many.insertStock(article, delivered.note()));
    }

    @QueueListener(queue = "delivered.together", concurrency = "1", retry = "stock", transactionSize = "20")
    void storeTogether(Delivered delivered) {
        delivered.articles().forEach(article -> many.insertStock(article, delivered.note()));
        batchSessions.flushStatements();
        failEachThird(delivered);
    }

    @QueueListener(queue = "delivered.counted", concurrency = "1", retry = "stock", transactionSize = "20")
    void countTogether(Delivered delivered) {
        int before = one.countStock();
        delivered.articles().forEach(article -> one.insertStock(article, delivered.note()));
        int after = one.countStock();
        failEachThird(delivered);
        one.insertSeen(delivered.note(), after - before);
    }

    private static void failEachThird(Delivered delivered) {
        if (delivered.note() % 3 == 0) {
            throw new IllegalStateException("number " + delivered.note() + " is broken");
        }
    }
}
