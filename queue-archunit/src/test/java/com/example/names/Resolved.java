package com.example.names;

import com.example.Order;
import io.acidq.spring.QueueListener;

/** Each case names a queue that is unknown only after its placeholder is resolved. */
abstract class Resolved {

    static class Listens {
        @QueueListener(queue = "${shop.wrong}")
        void placed(Order order) {}
    }

    static class ListensByADefaultOfADefault {
        @QueueListener(queue = "${no.such:${no.other:mial}}")
        void placed(Order order) {}
    }

    static class ListensByAValueWithADefault {
        @QueueListener(queue = "${shop.environment}")
        void placed(Order order) {}
    }

    static class ListensByANameWithinAName {
        @QueueListener(queue = "${shop.${shop.which}}")
        void placed(Order order) {}
    }

    static class ListensForEver {
        @QueueListener(queue = "${shop.circle}")
        void placed(Order order) {}
    }
}
