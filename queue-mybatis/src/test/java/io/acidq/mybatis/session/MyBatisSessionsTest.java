package io.acidq.mybatis.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MyBatisSessionsTest {

    /** A bug: each of the first threads that enqueued read all mapper files. */
    @Test
    void buildsEachConfigurationOnceForConcurrentCallers() {
        assertThat(IntStream.range(0, 16).parallel().mapToObj(i -> MyBatisSessions.factory(key(Vendor.MYSQL))))
                .containsOnly(MyBatisSessions.factory(key(Vendor.MYSQL)));
        assertThat(MyBatisSessions.factory(key(Vendor.MARIADB)))
                .isNotSameAs(MyBatisSessions.factory(key(Vendor.MYSQL)));
    }

    private static MyBatisSessions.Key key(Vendor vendor) {
        return new MyBatisSessions.Key(vendor, List.of("Fragments.xml", "Session.xml"), List.of());
    }
}
