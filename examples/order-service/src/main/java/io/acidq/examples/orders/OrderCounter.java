package io.acidq.examples.orders;

import java.time.Duration;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Transactional;

/** Counts orders and shipments. All counts are read in one snapshot. */
@Service
@Transactional(readOnly = true, isolation = Isolation.REPEATABLE_READ)
class OrderCounter {

    private final OrderCountsMapper mapper;

    OrderCounter(OrderCountsMapper mapper) {
        this.mapper = mapper;
    }

    public OrderCounts orderCounts() {
        return new OrderCounts(
                mapper.orders(),
                mapper.shipments(),
                mapper.lost(OrderService.PLACED),
                mapper.duplicated(),
                mapper.outOfOrder(),
                mapper.dead(OrderService.PLACED));
    }

    public long orders() {
        return mapper.orders();
    }

    public long shipments() {
        return mapper.shipments();
    }

    /** Orders that are shipped or dead-lettered. */
    public long settled() {
        return mapper.shipments() + mapper.dead(OrderService.PLACED);
    }

    public boolean isAnyWaiting() {
        return mapper.isAnyWaiting(OrderService.PLACED);
    }

    public Duration fromFirstToLast() {
        return Duration.ofNanos(mapper.microsFromFirstToLast() * 1000);
    }
}
