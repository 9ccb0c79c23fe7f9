package io.acidq.test.boot;

import io.acidq.testservers.ServerKind;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

class MariaDbOtherSliceIT extends OtherSliceCases {

    @DynamicPropertySource
    static void database(DynamicPropertyRegistry properties) {
        ShopDatabase.of(ServerKind.MARIADB, properties);
    }
}
