package io.acidq.test.boot;

import org.springframework.stereotype.Component;

/** Of no interest to tests of queues. */
@Component
class Idle {}
