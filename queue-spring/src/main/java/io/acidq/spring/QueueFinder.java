package io.acidq.spring;

import io.acidq.MessageQueue;
import io.acidq.QueueMisuseException;
import io.acidq.store.Store;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.BeanFactory;

/**
 * Finds the queue behind the name of a transaction manager: the one place that knows which engine whoever publishes means. Asks for beans no
 * earlier than it is asked. Thread-safe.
 */
final class QueueFinder {

    private final BeanFactory beanFactory;
    private final Map<String, PublishTarget> found = new ConcurrentHashMap<>();

    QueueFinder(BeanFactory beanFactory) {
        this.beanFactory = beanFactory;
    }

    /**
     * The queue of a transaction manager.
     *
     * @param transactionManager its bean name or qualifier; empty for the application's one queue
     * @throws QueueMisuseException when there is no such manager, or no queue in its database
     */
    PublishTarget find(String transactionManager) {
        PublishTarget known = found.get(transactionManager);
        return known == null ? first(transactionManager) : known;
    }

    private PublishTarget first(String transactionManager) {
        PublishTarget target = transactionManager.isEmpty() ? main() : of(transactionManager);
        found.put(transactionManager, target);
        return target;
    }

    /** Of the beans, which the application may have brought itself. */
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
