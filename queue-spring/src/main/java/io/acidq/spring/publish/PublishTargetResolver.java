package io.acidq.spring.publish;

import io.acidq.MessageQueue;
import io.acidq.QueueMisuseException;
import io.acidq.spring.QueueEngines;
import io.acidq.store.Store;
import io.acidq.store.Transactions;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.BeanFactory;

/**
 * Resolves the name of a transaction manager to the queue in its database. The only class that knows which engine a publisher means. Asks for
 * beans not before a target is asked for. Thread-safe.
 */
final class PublishTargetResolver {

    private final BeanFactory beanFactory;
    private final Map<String, PublishTarget> resolved = new ConcurrentHashMap<>();

    PublishTargetResolver(BeanFactory beanFactory) {
        this.beanFactory = beanFactory;
    }

    /**
     * Where messages are published to.
     *
     * @param queue        enqueues them
     * @param transactions of the queue's database
     */
    record PublishTarget(MessageQueue queue, Transactions transactions) {}

    /**
     * The queue of a transaction manager.
     *
     * @param transactionManager its bean name or qualifier; empty for the application's one queue
     * @throws QueueMisuseException when there is no such manager, or no queue in its database
     */
    PublishTarget resolve(String transactionManager) {
        PublishTarget known = resolved.get(transactionManager);
        if (known != null) {
            return known;
        }
        PublishTarget target = transactionManager.isEmpty() ? main() : of(transactionManager);
        resolved.put(transactionManager, target);
        return target;
    }

    /** Of the beans, which may be the application's own. */
    private PublishTarget main() {
        return new PublishTarget(
                beanFactory.getBean(MessageQueue.class),
                beanFactory.getBean(Store.class).transactions());
    }

    private PublishTarget of(String transactionManager) {
        QueueEngines engines = beanFactory.getBean(QueueEngines.class);
        String engine = engines.nameOf(transactionManager);
        return engine.equals(QueueEngines.MAIN)
                ? main()
                : new PublishTarget(
                        (queue, messages) -> engines.engine(engine).queue().enqueueAll(queue, messages),
                        engines.store(engine).transactions());
    }
}
