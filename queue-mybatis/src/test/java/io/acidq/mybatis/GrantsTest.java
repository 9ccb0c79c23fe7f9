package io.acidq.mybatis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.QueueMisuseException;
import io.acidq.mybatis.session.Vendor;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class GrantsTest {

    private static final Pattern TABLE = Pattern.compile("CREATE TABLE IF NOT EXISTS (\\w+)");

    @ParameterizedTest
    @EnumSource(Role.class)
    void grantsEachRoleEachTableOnce(Role role) {
        List<String> tables = TABLE.matcher(Schema.ddl(Vendor.MYSQL))
                .results()
                .map(m -> m.group(1))
                .toList();

        assertThat(Schema.grants(role, "shop", "app@%"))
                .allMatch(grant -> grant.endsWith(" TO 'app'@'%'"))
                .extracting(grant -> grant.replaceAll("^GRANT .* ON `shop`\\.(\\w+) TO .*$", "$1"))
                .containsExactlyInAnyOrderElementsOf(tables);
    }

    @Test
    void isAskedAsThePageShows() {
        // snippet:grants
        List<String> statements = Schema.grants(Role.WORKER, "shop", "shop_worker@10.0.%");
        // /snippet
        assertThat(statements).first().asString().startsWith("GRANT ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"app", "app@10.0.0.%", "app@localhost"})
    void quotesAccounts(String account) {
        assertThat(Schema.grants(Role.WORKER, "a-b", account).get(0))
                .isEqualTo("GRANT SELECT ON `a-b`.acidq_schema TO '" + account.replace("@", "'@'") + "'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "app'@'%", "app'; DROP USER root; --", "a\\", "a@b@c", "@%", "a\n"})
    void refusesAccountsThatCouldInjectSql(String account) {
        assertThatThrownBy(() -> Schema.grants(Role.WORKER, "shop", account))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("account");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "shop`.*", "a\\", "a\u0000"})
    void refusesDatabasesThatCouldInjectSql(String database) {
        assertThatThrownBy(() -> Schema.grants(Role.WORKER, database, "app"))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("database name");
    }
}
