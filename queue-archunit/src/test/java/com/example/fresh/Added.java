package com.example.fresh;

import com.example.Open;
import io.acidq.spring.QueueListener;

/** A violation that was added after the others were frozen. */
abstract class Added {

    static class Takes {
        @QueueListener(queue = "order.placed")
        void placed(Open order) {}
    }
}
