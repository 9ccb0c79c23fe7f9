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
 * Resolves the name of a transaction manager to the queue in its database. Beans are requested when a target is first resolved, not before.
 * Thread-safe.
 */
final class PublishTargetResolver {

    private final BeanFactory beanFactory;
    private final Map<String, PublishTarget> resolved = new ConcurrentHashMap<>();

    PublishTargetResolver(BeanFactory beanFactory) {
        this.beanFactory = beanFactory;
    }

    /**
     * The target of publishers.
     *
     * @param queue        enqueues the messages
     * @param transactions the transactions of the queue's database
     */
    record PublishTarget(MessageQueue queue, Transactions transactions) {}

    /**
     * Returns the target for a transaction manager.
     *
     * @param transactionManager the bean name or qualifier; empty for the application's {@code MessageQueue} bean
     * @throws QueueMisuseException if there is no such transaction manager, or no engine uses it
     */
    PublishTarget resolve(String transactionManager) {
        PublishTarget known = resolved.get(transactionManager);
        if (known != null) {
            return known;
        }
        PublishTarget target = transactionManager.isEmpty() ? main() : ofEngine(transactionManager);
        resolved.put(transactionManager, target);
        return target;
    }

    /** Uses the beans, which can be defined by the application. */
    private PublishTarget main() {
        return new PublishTarget(
                beanFactory.getBean(MessageQueue.class),
                beanFactory.getBean(Store.class).transactions());
    }

    private PublishTarget ofEngine(String transactionManager) {
        QueueEngines engines = beanFactory.getBean(QueueEngines.class);
        String engine = engines.nameOf(transactionManager);
        return engine.equals(QueueEngines.MAIN)
                ? main()
                : new PublishTarget(
                        new DeferredQueue(() -> engines.engine(engine).queue()),
                        engines.store(engine).transactions());
    }
}
