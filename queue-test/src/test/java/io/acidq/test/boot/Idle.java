package io.acidq.test.boot;

import org.springframework.stereotype.Component;

/** A component that a test slice of queues does not include. */
@Component
class Idle {}
