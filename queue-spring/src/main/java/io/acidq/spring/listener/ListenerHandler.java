package io.acidq.spring.listener;

import io.acidq.BatchHandler;
import io.acidq.Handler;

/**
 * The handler of a listener method, which the engine calls for one message or for a batch. The listener's declaration says for which. Its text
 * names the method: errors of the engine show it.
 *
 * @param <T> the payload's type
 */
interface ListenerHandler<T> extends Handler<T>, BatchHandler<T> {}
