package io.acidq.spring;

import io.acidq.MessageQueue;
import io.acidq.QueueMisuseException;
import io.acidq.store.Store;
import io.acidq.store.Transactions;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.transaction.PlatformTransactionManager;

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
        Transactions transactions = beanFactory.getBean(Store.class).transactions();
        if (!transactionManager.isEmpty() && !isOf(transactionManager, transactions)) {
            throw new QueueMisuseException(
                    "transactionManager '" + transactionManager
                            + "' has no queue in its database: name the one that the Store bean was made with, or leave it out");
        }
        PublishTarget target = new PublishTarget(beanFactory.getBean(MessageQueue.class), transactions);
        found.put(transactionManager, target);
        return target;
    }

    private boolean isOf(String name, Transactions transactions) {
        try {
            PlatformTransactionManager manager =
                    BeanFactoryAnnotationUtils.qualifiedBeanOfType(beanFactory, PlatformTransactionManager.class, name);
            return transactions instanceof SpringTransactions spring && spring.isOf(manager);
        } catch (NoSuchBeanDefinitionException e) {
            throw new QueueMisuseException(
                    "transactionManager '" + name
                            + "' is no bean or qualifier of a PlatformTransactionManager: name the one of the queue's database",
                    e);
        }
    }
}
