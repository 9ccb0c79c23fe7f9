package io.acidq.boot.slices;

import io.acidq.MessageQueue;
import io.acidq.boot.slices.SliceApplication.Order;
import io.acidq.spring.Publish;
import org.apache.ibatis.annotations.Mapper;
import org.apache.ibatis.annotations.Select;
import org.springframework.stereotype.Repository;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The components of the application, of which each slice finds its own. */
final class SliceComponents {

    private SliceComponents() {}

    @RestController
    static class OrderController {
        @GetMapping("/order")
        @Publish(queue = "order.placed", key = "#result.id")
        public Order place() {
            return new Order(17);
        }
    }

    @Repository
    static class OrderRepository {
        @Publish(queue = "order.placed")
        public Order save(Order order) {
            return order;
        }
    }

    @Mapper
    interface OrderMapper {
        @Select("SELECT 17")
        @Publish(queue = "order.placed")
        long id();
    }

    @Service
    static class OrderService {
        @SuppressWarnings("unused")
        OrderService(MessageQueue queue) {}
    }
}
