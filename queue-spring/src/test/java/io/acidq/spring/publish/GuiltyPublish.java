package io.acidq.spring.publish;

import io.acidq.spring.listener.GuiltyListener;

/** Breaks the rules of its package: it sees another part. */
@SuppressWarnings("unused")
public class GuiltyPublish {

    void sees(GuiltyListener other) {}
}
