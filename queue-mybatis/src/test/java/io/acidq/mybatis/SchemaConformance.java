package io.acidq.mybatis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.QueueMisuseException;
import io.acidq.mybatis.session.Vendor;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The tables, created and compared. */
abstract class SchemaConformance {

    DataSource dataSource;

    /** An empty database. */
    abstract DataSource emptyDatabase() throws SQLException;

    abstract Vendor vendor();

    @BeforeEach
    void open() throws SQLException {
        dataSource = emptyDatabase();
    }

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
        execute("UPDATE acidq_schema SET version = 2");

        assertThatThrownBy(() -> Schema.check(dataSource))
                .hasMessageContaining("table acidq_dead is missing")
                .hasMessageContaining("column acidq_message.batch is missing")
                .hasMessageContaining("column acidq_scheduled.mine is not of AcidQ and has no default")
                .hasMessageContaining("the tables have version 2, this AcidQ needs version 1")
                .message()
                .doesNotContain("harmless");
    }

    @Test
    void tellsWhatToDoWhenATableIsMissingInMidLife() {
        assertThatThrownBy(() -> MyBatisStore.over(dataSource).queues().openQueue("q"))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll("openQueue failed", "Schema.create or initialize-schema")
                .message()
                .containsIgnoringCase("acidq_queue");
    }

    @Test
    void handsTheFileOutForMigrationTools() {
        assertThat(Schema.ddl(vendor())).contains("CREATE TABLE IF NOT EXISTS acidq_message (");
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    long number(String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                var set = statement.executeQuery(sql)) {
            set.next();
            return set.getLong(1);
        }
    }
}
