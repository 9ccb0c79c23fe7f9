package io.acidq.mybatis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.QueueMisuseException;
import io.acidq.mybatis.session.Vendor;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The tables on a real server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ParameterizedClass
@EnumSource(ServerKind.class)
class SchemaIT extends SchemaConformance {

    @Parameter
    private ServerKind kind;

    private TestDatabase database;

    Stream<SchemaDamage> damages() {
        return Stream.concat(
                SchemaDamage.onAnyServer(),
                kind == ServerKind.MYSQL ? SchemaDamage.onMySql() : SchemaDamage.onMariaDb());
    }

    @Override
    DataSource emptyDatabase() {
        database = TestServers.get(kind).createDatabase();
        return new UnpooledDataSource(database.jdbcUrl(), database.username(), database.password());
    }

    @Override
    Vendor vendor() {
        return kind == ServerKind.MYSQL ? Vendor.MYSQL : Vendor.MARIADB;
    }

    @ParameterizedTest
    @MethodSource("damages")
    void namesTheDifferenceAndStatementsThatRepairIt(SchemaDamage damage) throws SQLException {
        Schema.create(dataSource);
        executeAll(damage.statements());

        String message = difference();

        assertThat(message.lines().filter(line -> line.startsWith("- "))).containsExactly("- " + damage.difference());
        repairAsSaidBy(message);
        assertThatCode(() -> Schema.check(dataSource)).doesNotThrowAnyException();
    }

    /** A limit of rows hid tables, so that the start named them as missing. */
    @Test
    void findsTheTablesInASessionWhoseQueriesAreLimited() {
        Schema.create(dataSource);
        DataSource limited = new UnpooledDataSource(
                database.jdbcUrl() + (database.jdbcUrl().contains("?") ? "&" : "?")
                        + "sessionVariables=sql_select_limit=1,sql_safe_updates=1,max_join_size=1",
                database.username(),
                database.password());

        assertThatCode(() -> Schema.check(limited)).doesNotThrowAnyException();
    }

    @Test
    void repairsEveryTableWithOneStatement() throws SQLException {
        Schema.create(dataSource);
        executeAll(List.of(
                "ALTER TABLE acidq_message DROP PRIMARY KEY, DROP KEY by_id, DROP COLUMN id, DROP COLUMN uid,"
                        + " ADD COLUMN mine INT NOT NULL, ADD PRIMARY KEY (mine), ENGINE=MyISAM STATS_AUTO_RECALC=1",
                "ALTER TABLE acidq_dead DROP PRIMARY KEY, DROP KEY by_uid, DROP KEY by_queue, DROP COLUMN uid,"
                        + " ALTER order_key DROP DEFAULT, ADD UNIQUE KEY mine (queue), ADD CHECK (lane > 0)",
                "ALTER TABLE acidq_node MODIFY id INT NOT NULL, DROP PRIMARY KEY",
                "DROP TABLE acidq_key",
                "DELETE FROM acidq_schema"));

        String message = difference();

        assertThat(statementsIn(message))
                .filteredOn(s -> s.contains("ALTER TABLE acidq_"))
                .hasSize(3);
        repairAsSaidBy(message);
        Schema.check(dataSource);
    }

    @Test
    void takesTheCommentOfAColumnFromTheFile() throws SQLException {
        Schema.create(dataSource);
        execute("ALTER TABLE acidq_node MODIFY id INT NOT NULL");

        assertThat(statementsIn(difference()))
                .containsExactly(
                        "ALTER TABLE acidq_node MODIFY id INT NOT NULL AUTO_INCREMENT COMMENT 'one registration of an engine; not used again';");
    }

    @Test
    void passesOverWhatDoesNoHarm() throws SQLException {
        Schema.create(dataSource);
        executeAll(List.of(
                "ALTER TABLE acidq_message ADD KEY mine (uid), COMMENT 'ours', ROW_FORMAT=COMPRESSED",
                "ALTER TABLE acidq_message ADD COLUMN a JSON NULL, ADD COLUMN b INT NOT NULL DEFAULT 3,"
                        + " ADD COLUMN c INT GENERATED ALWAYS AS (size + 1) STORED",
                "ALTER TABLE acidq_message MODIFY owner INT NOT NULL DEFAULT '0' COMMENT 'by us' AFTER batch",
                "CREATE TABLE acidq_own (id INT NOT NULL PRIMARY KEY, up INT, CHECK (id > 1),"
                        + " FOREIGN KEY (up) REFERENCES acidq_own (id)) ENGINE=InnoDB",
                "CREATE TRIGGER copying AFTER INSERT ON acidq_message FOR EACH ROW SET @copied = NEW.id"));

        assertThatCode(() -> Schema.check(dataSource)).doesNotThrowAnyException();
    }

    @Test
    void acceptsTheTablesThatADumpBringsBack() throws SQLException {
        Schema.create(dataSource);
        for (String table : List.of("acidq_message", "acidq_queue", "acidq_node", "acidq_dead")) {
            String dumped = text("SHOW CREATE TABLE " + table, 2);
            execute("DROP TABLE " + table);
            execute(dumped);
        }

        assertThatCode(() -> Schema.check(dataSource)).doesNotThrowAnyException();
    }

    @Test
    void repairsATableWithoutAReadableVersion() throws SQLException {
        Schema.create(dataSource);
        execute("ALTER TABLE acidq_schema DROP COLUMN version");

        repairAsSaidBy(difference());

        Schema.check(dataSource);
    }

    @Test
    void worksWithTheQuotesOfAnsi() throws SQLException {
        DataSource ansi = new UnpooledDataSource(
                database.jdbcUrl() + "&sessionVariables=sql_mode='ANSI_QUOTES'",
                database.username(),
                database.password());
        Schema.create(ansi);
        Schema.check(ansi);
        MyBatisStore.over(ansi).queues().openQueue("q");
    }

    @Test
    void asksNoMorePrivilegesForACheckThanTheQueueDoes() throws SQLException {
        Schema.create(dataSource);
        execute("ALTER TABLE acidq_message ADD UNIQUE KEY mine (uid)");

        withUser("SELECT, INSERT, UPDATE, DELETE", limited -> {
            assertThatThrownBy(() -> Schema.check(limited))
                    .hasMessageContaining("key `mine` of acidq_message is unique");
            execute("ALTER TABLE acidq_message DROP KEY mine");
            Schema.check(limited);
        });
    }

    @Test
    void namesTableAndPrivilegeThatAreMissing() throws SQLException {
        Schema.create(dataSource);

        withUser("SELECT", limited -> {
            assertThatThrownBy(() -> MyBatisStore.over(limited).queues().openQueue("q"))
                    .isInstanceOf(QueueMisuseException.class)
                    .hasMessageContainingAll(
                            "INSERT command denied", "acidq_queue", "Grant the user of this DataSource");
            assertThatThrownBy(() -> Schema.create(limited))
                    .isInstanceOf(QueueMisuseException.class)
                    .hasMessageContainingAll("CREATE command denied", "acidq_schema");
        });
    }

    private interface WithDataSource {
        void run(DataSource limited) throws SQLException;
    }

    /** On both kinds of hosts, because an anonymous user of localhost would take precedence. */
    private void withUser(String privileges, WithDataSource test) throws SQLException {
        String user = "u" + database.name().substring(6);
        List<String> accounts = List.of(user + "@'%'", user + "@'localhost'");
        try {
            for (String account : accounts) {
                execute("CREATE USER " + account + " IDENTIFIED BY 'Secret-1234'");
                execute("GRANT " + privileges + " ON " + database.name() + ".* TO " + account);
            }
            test.run(new UnpooledDataSource(database.jdbcUrl(), user, "Secret-1234"));
        } finally {
            for (String account : accounts) {
                execute("DROP USER IF EXISTS " + account);
            }
        }
    }
}
