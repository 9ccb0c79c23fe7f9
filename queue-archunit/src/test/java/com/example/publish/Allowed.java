package com.example.publish;

import com.example.Messages;
import com.example.Order;
import com.example.ShopListener;
import com.example.Writing;
import io.acidq.Delivery;
import io.acidq.Handler;
import io.acidq.MessageQueue;
import io.acidq.Outcome;
import io.acidq.config.Listener;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.spring.Publish;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.event.EventListener;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionCallbackWithoutResult;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Each case publishes in a transaction. */
abstract class Allowed {

    MessageQueue queue;

    static class OnTheMethod extends Allowed {
        @Transactional
        @Messages({@Publish(queue = "order.placed"), @Publish(queue = "order.paid")})
        public Order place(Order order) {
            queue.enqueue("order.placed", order);
            return order;
        }
    }

    @Transactional(readOnly = true)
    static class OnTheMethodBeforeTheClass extends Allowed {
        @Transactional
        public void place(Order order) {
            queue.enqueue("order.placed", order);
        }
    }

    @Transactional
    static class OnTheClass extends Allowed {
        public void place(Order order) {
            queue.enqueue("order.placed", order);
        }
    }

    static class Meta extends Allowed {
        @Writing
        public void place(Order order) {
            queue.enqueue("order.placed", order);
        }
    }

    static class Jakarta extends Allowed {
        @jakarta.transaction.Transactional
        public void place(Order order) {
            queue.enqueue("order.placed", order);
        }
    }

    static class Mandatory extends Allowed {
        @Transactional(propagation = Propagation.MANDATORY)
        public void place(Order order) {
            queue.enqueue("order.placed", order);
        }
    }

    static class OnTheInterface extends Allowed {
        interface Placing<T> {
            @Transactional
            T place(T order);
        }

        static class Service extends Allowed implements Placing<Order> {
            @Override
            @Publish(queue = "order.placed")
            public Order place(Order order) {
                queue.enqueue("order.placed", order);
                return order;
            }
        }
    }

    static class ByTwoHelpers extends Allowed {
        @Transactional
        public void place(List<Order> orders) {
            orders.forEach(this::one);
            orders.forEach(order -> tell(order));
        }

        private void one(Order order) {
            tell(order);
        }

        private void tell(Order order) {
            queue.enqueue("order.placed", order);
        }
    }

    static class InATemplate extends Allowed {
        TransactionTemplate transaction;
        JdbcTransactions plain;

        public void place(Order order) {
            transaction.executeWithoutResult(status -> queue.enqueue("order.placed", order));
        }

        public void placePlainly(Order order) throws Exception {
            plain.run(() -> tell(order));
        }

        private void tell(Order order) {
            queue.enqueue("order.placed", order);
        }
    }

    static class InACallback extends Allowed {
        TransactionTemplate transaction;

        public void place(Order order) {
            transaction.execute(new TransactionCallbackWithoutResult() {
                @Override
                protected void doInTransactionWithoutResult(TransactionStatus status) {
                    queue.enqueue("order.placed", order);
                }
            });
        }
    }

    static class ByHand extends Allowed {
        PlatformTransactionManager manager;

        public void place(Order order) {
            TransactionStatus status = manager.getTransaction(null);
            queue.enqueue("order.placed", order);
            manager.commit(status);
        }
    }

    static class InAListener extends Allowed {
        @ShopListener
        public void placed(Order order) {
            queue.enqueue("order.paid", order);
        }
    }

    static class InAHandler extends Allowed implements Handler<Order> {
        @Override
        public Outcome handle(Order order, Delivery delivery) {
            queue.enqueue("order.paid", order);
            return Outcome.done();
        }

        Listener<Order> another() {
            return Listener.on("order.placed", Order.class, (order, delivery) -> {
                queue.enqueue("order.paid", order);
                return Outcome.done();
            });
        }
    }

    static class AroundTheCommit extends Allowed {
        @TransactionalEventListener(phase = TransactionPhase.BEFORE_COMMIT)
        public void before(Order order) {
            queue.enqueue("order.placed", order);
        }

        @TransactionalEventListener
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void after(Order order) {
            queue.enqueue("order.placed", order);
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
            @Transactional
            public void place(Order order) {
                tell(order);
            }
        }
    }

    static class ByAnInheritedMethod {
        abstract static class Base extends Allowed {
            protected void tell(Order order) {
                queue.enqueue("order.placed", order);
            }
        }

        static class Service extends Base {
            @Transactional
            public void place(Order order) {
                tell(order);
            }
        }
    }

    static class ByAnInterface {
        interface Telling {
            void tell(Order order);
        }

        static class Teller extends Allowed implements Telling {
            @Override
            public void tell(Order order) {
                queue.enqueue("order.placed", order);
            }
        }

        static class Service {
            Telling telling;

            @Transactional
            public void place(Order order) {
                telling.tell(order);
            }
        }
    }

    @Publish(queue = "order.placed")
    static class AtTheClass {
        @Transactional
        public Order place(Order order) {
            return order;
        }

        public void nothing(Order order) {}

        Order notPublic(Order order) {
            return order;
        }
    }

    static class OfAnInterfaceWithoutTheMethod {
        @Publish(queue = "order.placed")
        interface Placing {
            @Transactional
            Order place(Order order);
        }

        static class Service implements Placing {
            @Override
            public Order place(Order order) {
                return order;
            }

            public Order find() {
                return new Order(1);
            }
        }
    }

    static class BeforeTheCommit extends Allowed {
        public void place(Order order) {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void beforeCommit(boolean readOnly) {
                    queue.enqueue("order.placed", order);
                }
            });
        }
    }

    static class ByAnEventListener extends Allowed {
        record Placed(Order order) {}

        ApplicationEventPublisher events;

        @Transactional
        public void place(Order order) {
            events.publishEvent(new Placed(order));
        }

        @EventListener
        public void placed(Placed event) {
            queue.enqueue("order.placed", event.order());
        }
    }

    static class ByAnOwnMethod extends Allowed {
        TransactionTemplate transaction;

        public void place(Order order) {
            inTransaction(transaction, () -> queue.enqueue("order.placed", order));
        }

        private static <T> T inTransaction(TransactionTemplate transaction, Supplier<T> work) {
            return transaction.execute(status -> work.get());
        }
    }

    static class ByAnOwnBean extends Allowed {
        static class InTransaction {
            @Transactional
            public void run(Runnable work) {
                work.run();
            }
        }

        InTransaction transaction;

        public void place(Order order) {
            transaction.run(() -> queue.enqueue("order.placed", order));
        }
    }
}
