package io.acidq.spring.transaction;

import io.acidq.spring.listener.GuiltyListener;

/** Breaks the rules of its package: it sees another part. */
@SuppressWarnings("unused")
public class GuiltyTransaction {

    void sees(GuiltyListener other) {}
}
