package io.acidq.test.orders;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The application that README.md shows. */
@SpringBootApplication
class OrdersApplication {}
