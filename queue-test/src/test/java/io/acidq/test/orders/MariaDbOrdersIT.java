package io.acidq.test.orders;

import io.acidq.testservers.ServerKind;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

class MariaDbOrdersIT extends OrdersCases {

    @DynamicPropertySource
    static void server(DynamicPropertyRegistry properties) {
        database(ServerKind.MARIADB, properties);
    }
}
