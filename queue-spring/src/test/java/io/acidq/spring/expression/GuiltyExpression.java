package io.acidq.spring.expression;

import io.acidq.spring.publish.GuiltyPublish;

/** Breaks the rules of its package: it sees a part that uses it. */
@SuppressWarnings("unused")
public class GuiltyExpression {

    void sees(GuiltyPublish other) {}
}
