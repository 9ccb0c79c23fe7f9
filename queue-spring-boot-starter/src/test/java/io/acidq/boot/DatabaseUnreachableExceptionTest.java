package io.acidq.boot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DatabaseUnreachableExceptionTest {

    @ParameterizedTest
    @CsvSource({
        "jdbc:mysql://db:3306/shop?user=u&password=secret, jdbc:mysql://db:3306/shop",
        "jdbc:mysql://u:secret@db/shop, jdbc:mysql://db/shop",
        "jdbc:mysql://u:se/cr@et@db/shop, jdbc:mysql://db/shop",
        "'jdbc:mysql://address=(host=db)(user=u)(password=secret)/shop', 'jdbc:mysql://address=(host=db)/shop'",
        "jdbc:h2:mem:shop;PASSWORD=secret, jdbc:h2:mem:shop"
    })
    void namesTheUrlWithoutCredentials(String url, String shown) {
        assertThat(DatabaseUnreachableException.address(url)).isEqualTo(" " + shown);
    }
}
