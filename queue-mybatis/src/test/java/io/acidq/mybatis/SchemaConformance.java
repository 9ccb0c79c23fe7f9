package io.acidq.mybatis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.QueueMisuseException;
import io.acidq.mybatis.schema.SchemaDatabase;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Creates and compares the tables. */
abstract class SchemaConformance extends SchemaFixture {

    @Test
    void createsWhatTheCheckExpects() {
        Schema.create(dataSource);

        assertThatCode(() -> Schema.check(dataSource)).doesNotThrowAnyException();
    }

    @Test
    void createsNothingTwiceAndKeepsWhatIsThere() throws SQLException {
        Schema.create(dataSource);
        MyBatisStore.over(dataSource).queues().openQueue("kept");
        Schema.create(dataSource);

        Schema.check(dataSource);
        assertThat(number("SELECT COUNT(*) FROM acidq_queue")).isEqualTo(1);
        assertThat(number("SELECT COUNT(*) FROM acidq_schema")).isEqualTo(1);
    }

    @Test
    void createsOnceWhenManyNodesStartAtOnce() {
        List<CompletableFuture<Void>> nodes = IntStream.range(0, 4)
                .mapToObj(i -> CompletableFuture.runAsync(() -> Schema.create(dataSource)))
                .toList();

        nodes.forEach(CompletableFuture::join);
        Schema.check(dataSource);
    }

    @Test
    void namesEveryMissingTableAndHowToCreateThem() {
        assertThatThrownBy(() -> Schema.check(dataSource))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("table acidq_message is missing")
                .hasMessageContaining("table acidq_schema is missing")
                .hasMessageContaining("Schema.create, initialize-schema");
    }

    @Test
    void namesEveryDifferenceAtOnce() throws SQLException {
        Schema.create(dataSource);
        execute("DROP TABLE acidq_dead");
        execute("ALTER TABLE acidq_message DROP COLUMN batch");
        execute("ALTER TABLE acidq_scheduled ADD COLUMN mine INT NOT NULL");
        execute("ALTER TABLE acidq_scheduled ADD COLUMN harmless INT NULL");
        execute("DELETE FROM acidq_schema");

        assertThat(difference())
                .startsWith("the tables of AcidQ in this database are not those of version 1:")
                .contains("table acidq_dead is missing")
                .contains("column acidq_message.batch is missing")
                .containsPattern("column acidq_scheduled.`(mine|MINE)` does not belong to AcidQ and has no default")
                .contains("table acidq_schema does not contain the version")
                .doesNotContain("harmless");
    }

    @Test
    void namesOnlyTheVersionWhenANewerAcidqUpgradedTheTables() throws SQLException {
        Schema.create(dataSource);
        execute("UPDATE acidq_schema SET version = 3");
        execute("ALTER TABLE acidq_message DROP COLUMN batch");

        assertThat(difference())
                .contains(
                        "they have version 3", "upgraded by a newer AcidQ", "use AcidQ with schema version 3 or newer")
                .doesNotContain("batch");
    }

    @Test
    void namesOnlyTheMigrationsWhenTheTablesAreOlder() throws SQLException {
        Schema.create(dataSource);
        execute("ALTER TABLE acidq_message DROP COLUMN batch");

        assertThatThrownBy(() -> new SchemaDatabase(dataSource).check(3))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll("they have version 1", "run the migrations V2__… to V3__…")
                .hasMessageNotContaining("batch");
        assertThatThrownBy(() -> new SchemaDatabase(dataSource).check(2))
                .hasMessageContaining("run the migrations V2__… that are next to");
    }

    @Test
    void insertsTheRowOfTheVersionAsAdvised() throws SQLException {
        Schema.create(dataSource);
        execute("DELETE FROM acidq_schema");

        repairAsSaidBy(difference());

        Schema.check(dataSource);
    }

    @Test
    void comparesTheTablesWhenTheVersionCannotBeRead() throws SQLException {
        Schema.create(dataSource);
        execute("ALTER TABLE acidq_schema DROP COLUMN version");

        assertThat(difference())
                .contains("column acidq_schema.version is missing", "table acidq_schema does not contain the version");
    }

    @Test
    void namesAKeyThatIsNoLongerUniqueAndANumberThatNoLongerCounts() throws SQLException {
        Schema.create(dataSource);
        execute("DROP TABLE acidq_queue");
        execute("CREATE TABLE acidq_queue (id INT NOT NULL, name VARCHAR(100) NOT NULL, lanes SMALLINT NOT NULL,"
                + " paused SMALLINT NOT NULL DEFAULT 0, created_at TIMESTAMP(6) NOT NULL, PRIMARY KEY (id))");
        execute("DROP TABLE acidq_node");
        execute("CREATE TABLE acidq_node (id INT NOT NULL, PRIMARY KEY (id))");

        assertThat(difference())
                .containsPattern("table acidq_queue lacks UNIQUE KEY \\w*by_name \\(name\\)")
                .containsPattern("column acidq_node.id is .*, needs .* AUTO_INCREMENT");
    }

    @Test
    void advisesWhenATableIsMissingLater() {
        assertThatThrownBy(() -> MyBatisStore.over(dataSource).queues().openQueue("q"))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll("openQueue failed", "Schema.create or initialize-schema")
                .message()
                .containsIgnoringCase("acidq_queue");
    }

    @Test
    void returnsTheFileForMigrationTools() {
        assertThat(Schema.ddl(vendor())).contains("CREATE TABLE IF NOT EXISTS acidq_message (");
    }
}
