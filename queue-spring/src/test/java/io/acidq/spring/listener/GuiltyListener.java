package io.acidq.spring.listener;

import io.acidq.spring.publish.GuiltyPublish;

/** Breaks the rules of its package: it sees another part. */
@SuppressWarnings("unused")
public class GuiltyListener {

    void sees(GuiltyPublish other) {}
}
