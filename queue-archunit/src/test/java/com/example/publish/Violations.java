package com.example.publish;

import com.example.Messages;
import com.example.Order;
import com.example.Writing;
import io.acidq.MessageQueue;
import io.acidq.spring.Publish;
import io.acidq.spring.PublishedTo;
import io.acidq.spring.QueueListener;
import io.acidq.spring.QueueTemplate;
import jakarta.annotation.PostConstruct;
import java.time.Instant;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CompletableFuture;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Each case publishes where a transaction is not certain. */
abstract class Violations {

    MessageQueue queue;

    static class NobodyBegins extends Violations {
        public void place(Order order) {
            queue.enqueue("order.placed", order);
        }
    }

    static class OneOfTwoCallersBeginsNone extends Violations {
        @Transactional
        public void place(Order order) {
            tell(order);
        }

        public void placeAgain(Order order) {
            tell(order);
        }

        private void tell(Order order) {
            queue.enqueue("order.placed", order);
        }
    }

    static class ReadOnly extends Violations {
        @Transactional(readOnly = true)
        public void place(Order order) {
            queue.enqueue("order.placed", order);
        }
    }

    static class ReadOnlyByAlias extends Violations {
        @Writing(onlyReads = true)
        public void place(Order order) {
            queue.enqueue("order.placed", order);
        }
    }

    static class NotSupported extends Violations {
        @Transactional(propagation = Propagation.NOT_SUPPORTED)
        public void place(Order order) {
            queue.enqueue("order.placed", order);
        }
    }

    @Transactional
    static class NeverOnTheMethodBeforeTheClass extends Violations {
        @Transactional(propagation = Propagation.NEVER)
        public void place(Order order) {
            queue.enqueue("order.placed", order);
        }
    }

    static class SupportsJoinsNothing extends Violations {
        @Transactional(propagation = Propagation.SUPPORTS)
        public void place(Order order) {
            queue.enqueue("order.placed", order);
        }
    }

    static class JakartaNever extends Violations {
        @jakarta.transaction.Transactional(jakarta.transaction.Transactional.TxType.NEVER)
        public void place(Order order) {
            queue.enqueue("order.placed", order);
        }
    }

    static class OnAPrivateMethod extends Violations {
        public void place(Order order) {
            tell(order);
        }

        @Transactional
        private void tell(Order order) {
            queue.enqueue("order.placed", order);
        }
    }

    static class OnAnotherThread extends Violations {
        @Transactional
        public void place(Order order) {
            CompletableFuture.runAsync(() -> queue.enqueue("order.placed", order));
        }
    }

    static class ByAnAsyncMethod extends Violations {
        @Transactional
        public void place(Order order) {
            tell(order);
        }

        @Async
        public void tell(Order order) {
            queue.enqueue("order.placed", order);
        }
    }

    static class AfterTheCommit extends Violations {
        @TransactionalEventListener
        public void placed(Order order) {
            queue.enqueue("order.placed", order);
        }
    }

    static class ByAnExternalListener extends Violations {
        @QueueListener(queue = "order.paid", mode = "external")
        public void paid(Order order) {
            queue.enqueue("order.placed", order);
        }
    }

    static class ByAMethodReference extends Violations {
        public void place(List<Order> orders) {
            orders.forEach(this::tell);
        }

        private void tell(Order order) {
            queue.enqueue("order.placed", order);
        }
    }

    static class ByAnAnonymousClass extends Violations {
        public Runnable place(Order order) {
            return new Runnable() {
                @Override
                public void run() {
                    queue.enqueue("order.placed", order);
                }
            };
        }
    }

    static class ByAnInterface {
        interface Placing {
            @Publish(queue = "order.placed")
            Order place(Order order);
        }

        static class Service implements Placing {
            @Override
            public Order place(Order order) {
                return order;
            }
        }
    }

    static class ByAGenericInterface {
        interface Placing<T> {
            @Publish(queue = "order.placed")
            T place(T order);
        }

        static class Service implements Placing<Order> {
            @Override
            public Order place(Order order) {
                return order;
            }
        }
    }

    static class BySeveralInAContainer {
        @Messages({@Publish(queue = "order.placed"), @Publish(queue = "order.paid")})
        public Order place(Order order) {
            return order;
        }
    }

    static class OnlyCalledByItself extends Violations {
        private void place(Order order) {
            tell(order);
        }

        private void tell(Order order) {
            queue.enqueue("order.placed", order);
            place(order);
        }
    }

    static class ByAMarkedEvent {
        @PublishedTo(queue = "order.placed")
        record Placed(long id) {}

        ApplicationEventPublisher events;

        public void place(Order order) {
            events.publishEvent(new Placed(order.id()));
        }
    }

    static class ByATypedTemplate {
        QueueTemplate<Order> orders;

        public void place(Order order) {
            orders.enqueue(order);
        }
    }

    static class ByADefaultMethod {
        interface Placing {
            MessageQueue queue();

            default void tell(Order order) {
                queue().enqueue("order.placed", order);
            }
        }

        abstract static class Service implements Placing {
            public void place(Order order) {
                tell(order);
            }
        }
    }

    static class ByAnInheritedMethod {
        abstract static class Base extends Violations {
            protected void tell(Order order) {
                queue.enqueue("order.placed", order);
            }
        }

        static class Service extends Base {
            public void place(Order order) {
                tell(order);
            }
        }
    }

    static class ByADecoratedQueue extends Violations {
        static class Counting implements MessageQueue {
            MessageQueue inner;

            @Override
            public List<io.acidq.Enqueued> enqueueAll(String queue, List<io.acidq.NewMessage> messages) {
                return inner.enqueueAll(queue, messages);
            }

            @Override
            public io.acidq.Published publish(String topic, Object payload, io.acidq.EnqueueOptions options) {
                return inner.publish(topic, payload, options);
            }
        }

        Counting counting;

        public void place(Order order) {
            counting.enqueue("order.placed", order);
        }
    }

    @Publish(queue = "order.placed")
    static class AtItsClass {
        public Order place(Order order) {
            return order;
        }
    }

    static class AtItsInterface {
        interface PlacingAny<T> {
            T place(T order);
        }

        @Publish(queue = "order.placed")
        interface Placing extends PlacingAny<Order> {}

        static class Service implements Placing {
            @Override
            public Order place(Order order) {
                return order;
            }
        }
    }

    static class ByAMapper {
        @Publish(queue = "order.placed")
        interface Mapper {
            Order select(long id);
        }
    }

    static class AfterACommit extends Violations {
        @Transactional
        public void place(Order order) {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    queue.enqueue("order.placed", order);
                }
            });
        }
    }

    static class ByAScheduler extends Violations {
        TaskScheduler scheduler;

        @Transactional
        public void place(Order order) {
            scheduler.schedule(() -> queue.enqueue("order.placed", order), Instant.EPOCH);
        }
    }

    static class ByATimer extends Violations {
        Timer timer;

        @Transactional
        public void place(Order order) {
            timer.schedule(
                    new TimerTask() {
                        @Override
                        public void run() {
                            queue.enqueue("order.placed", order);
                        }
                    },
                    5);
        }
    }

    static class InAParallelStream extends Violations {
        @Transactional
        public void place(List<Order> orders) {
            orders.parallelStream().forEach(order -> queue.enqueue("order.placed", order));
        }
    }

    @Transactional
    static class AtItsStart extends Violations {
        @PostConstruct
        public void start() {
            queue.enqueue("order.placed", new Order(1));
        }
    }

    static class ByAnEventBelowAMarkedOne {
        @PublishedTo(queue = "order.placed")
        interface Marked {}

        record Placed(long id) implements Marked {}

        ApplicationEventPublisher events;

        public void place(Order order) {
            events.publishEvent(new Placed(order.id()));
        }
    }

    static class ByAnEventListener extends Violations {
        record Placed(Order order) {}

        ApplicationEventPublisher events;

        public void place(Order order) {
            events.publishEvent(new Placed(order));
        }

        @EventListener
        public void placed(Placed event) {
            queue.enqueue("order.placed", event.order());
        }
    }

    static class ByAnOwnMethodThatOnlyLooksSo extends Violations {
        TransactionTemplate transaction;

        public void place(Order order) {
            afterwards(() -> queue.enqueue("order.placed", order));
        }

        private void afterwards(Runnable work) {
            transaction.executeWithoutResult(status -> {});
            work.run();
        }
    }

    static class ByAnOwnMethodWithoutAProxy extends Violations {
        public void place(Order order) {
            inTransaction(() -> queue.enqueue("order.placed", order));
        }

        @Transactional
        public void inTransaction(Runnable work) {
            work.run();
        }
    }
}
