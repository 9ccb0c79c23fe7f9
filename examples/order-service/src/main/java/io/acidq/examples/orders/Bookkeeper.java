package io.acidq.examples.orders;

import java.time.Duration;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Transactional;

/** Counts. All counts of the books are of one moment, because they are read in one snapshot. */
@Service
@Transactional(readOnly = true, isolation = Isolation.REPEATABLE_READ)
class Bookkeeper {

    private final BooksMapper mapper;

    Bookkeeper(BooksMapper mapper) {
        this.mapper = mapper;
    }

    public Books books() {
        return new Books(
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

    /** Orders that are done with, one way or the other. */
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
