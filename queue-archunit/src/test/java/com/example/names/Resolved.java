package com.example.names;

import com.example.Order;
import io.acidq.spring.QueueListener;

/** A queue that is wrong only once its placeholder is resolved. */
abstract class Resolved {

    static class Listens {
        @QueueListener(queue = "${shop.wrong}")
        void placed(Order order) {}
    }
}
