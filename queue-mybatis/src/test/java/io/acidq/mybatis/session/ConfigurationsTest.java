package io.acidq.mybatis.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ConfigurationsTest {

    /** The threads that enqueue first would each read all the mapper files. */
    @Test
    void buildsEachOnceThoughManyAskAtTheSameTime() {
        assertThat(IntStream.range(0, 16).parallel().mapToObj(i -> Configurations.of(key(Vendor.MYSQL))))
                .containsOnly(Configurations.of(key(Vendor.MYSQL)));
        assertThat(Configurations.of(key(Vendor.MARIADB))).isNotSameAs(Configurations.of(key(Vendor.MYSQL)));
    }

    private static Configurations.Key key(Vendor vendor) {
        return new Configurations.Key(vendor, List.of("Fragments.xml", "Session.xml"), List.of());
    }
}
