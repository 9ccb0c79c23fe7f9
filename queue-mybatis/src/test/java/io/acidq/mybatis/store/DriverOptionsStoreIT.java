package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.store.Due;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Options of the drivers that change a value on its way to the server. */
@EachServer
class DriverOptionsStoreIT extends StoreFixture {

    @Test
    void movesADueMessageWhenTheDriverCutsOffFractionsOfSeconds() {
        fixture.enqueue(fixture.message(0, null, "a", new Due(null, Instant.parse("2024-05-05T05:05:05.123456Z"))));
        HikariConfig config = database().another(3);
        config.addDataSourceProperty("sendFractionalSeconds", "false");
        try (HikariDataSource pool = new HikariDataSource(config)) {
            MyBatisStore.over(pool).maintenance().moveDue();
        }

        assertThat(QueueFixture.texts(fixture.claim(0, 10))).containsExactly("a");
    }
}
