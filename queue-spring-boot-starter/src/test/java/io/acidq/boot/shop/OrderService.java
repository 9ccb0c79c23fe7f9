package io.acidq.boot.shop;

import io.acidq.spring.Publish;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
public class OrderService {

    private final ShopMapper mapper;

    OrderService(ShopMapper mapper) {
        this.mapper = mapper;
    }

    @Transactional
    @Publish(queue = "order.placed", key = "#result.id")
    public Order place(Order order) {
        mapper.insertOrder(order);
        return order;
    }

    @Transactional
    @Publish(queue = "order.placed", key = "#result.id")
    public Order placeAndFail(Order order) {
        mapper.insertOrder(order);
        throw new IllegalStateException("out of stock");
    }

    @Transactional
    @Publish(queue = "order.placed", key = "null")
    public Order placeAndFailToPublish(Order order) {
        mapper.insertOrder(order);
        return order;
    }
}
