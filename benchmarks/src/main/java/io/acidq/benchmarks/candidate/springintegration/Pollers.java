package io.acidq.benchmarks.candidate.springintegration;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.springframework.integration.endpoint.PollingConsumer;
import org.springframework.scheduling.support.PeriodicTrigger;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.interceptor.DefaultTransactionAttribute;
import org.springframework.transaction.interceptor.MatchAlwaysTransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionInterceptor;

/**
 * The workers. Each is a thread that has been told to poll and goes on while there are messages; every 10 ms an idle one is told, so that after
 * 160 ms all sixteen are at work, and a new message does not wait for longer.
 */
final class Pollers {

    private static final Duration POLL = Duration.ofMillis(10);
    private static final int MESSAGES_PER_POLL = 100;

    private final PollingConsumer consumer;
    private final ThreadPoolExecutor threads;

    Pollers(int count, PollingConsumer consumer, TransactionManager manager) {
        this.consumer = consumer;
        threads = new ThreadPoolExecutor(
                count,
                count,
                0,
                TimeUnit.MILLISECONDS,
                new SynchronousQueue<>(),
                new ThreadPoolExecutor.DiscardPolicy()); // when all are busy nobody need be told
        MatchAlwaysTransactionAttributeSource always = new MatchAlwaysTransactionAttributeSource();
        always.setTransactionAttribute(new DefaultTransactionAttribute());
        consumer.setAdviceChain(List.of(new TransactionInterceptor(manager, always)));
        consumer.setTrigger(new PeriodicTrigger(POLL));
        consumer.setTaskExecutor(threads);
        consumer.setMaxMessagesPerPoll(MESSAGES_PER_POLL);
        consumer.setReceiveTimeout(0);
        consumer.afterPropertiesSet();
    }

    void start() {
        consumer.start();
    }

    void stop() throws InterruptedException {
        consumer.stop();
        threads.shutdown();
        threads.awaitTermination(1, TimeUnit.MINUTES);
    }
}
