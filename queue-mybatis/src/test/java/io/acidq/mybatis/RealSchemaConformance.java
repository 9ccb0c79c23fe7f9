package io.acidq.mybatis;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.QueueMisuseException;
import io.acidq.mybatis.session.Vendor;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** The tables on a real server. */
abstract class RealSchemaConformance extends SchemaConformance {

    private TestDatabase database;

    abstract ServerKind kind();

    @Override
    DataSource emptyDatabase() {
        database = TestServers.get(kind()).createDatabase();
        return new UnpooledDataSource(database.jdbcUrl(), database.username(), database.password());
    }

    @Override
    Vendor vendor() {
        return kind() == ServerKind.MYSQL ? Vendor.MYSQL : Vendor.MARIADB;
    }

    @Test
    void namesKeysTypesCollationsAndEnginesThatDiffer() throws SQLException {
        Schema.create(dataSource);
        execute("ALTER TABLE acidq_message DROP PRIMARY KEY, ADD PRIMARY KEY (queue, id, lane)");
        execute("ALTER TABLE acidq_scheduled DROP KEY by_uid");
        execute("ALTER TABLE acidq_key MODIFY p_key VARBINARY(100) NOT NULL");
        execute(
                "ALTER TABLE acidq_message MODIFY type VARCHAR(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci NOT NULL");
        execute("ALTER TABLE acidq_message MODIFY headers VARBINARY(8000) NULL");
        execute("ALTER TABLE acidq_node ENGINE=MyISAM");

        assertThatThrownBy(() -> Schema.check(dataSource))
                .hasMessageContaining(
                        "the primary key of acidq_message has columns [queue, id, lane], needs [queue, lane, id]")
                .hasMessageContaining("key by_uid of acidq_scheduled [uid] is missing")
                .hasMessageContaining("column acidq_key.p_key has type varbinary(100), needs varbinary(255)")
                .hasMessageContaining("column acidq_message.type has collation utf8mb4_general_ci, needs utf8mb4_bin")
                .hasMessageContaining("column acidq_message.headers must be NOT NULL")
                .hasMessageContaining("ALTER TABLE acidq_node ENGINE=InnoDB");
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
    void namesTableAndPrivilegeThatAreMissing() throws SQLException {
        Schema.create(dataSource);
        String user = "u" + database.name().substring(6);
        execute("CREATE USER " + user + "@'%' IDENTIFIED BY 'Secret-1234'");
        try {
            execute("GRANT SELECT ON " + database.name() + ".* TO " + user + "@'%'");
            DataSource limited = new UnpooledDataSource(database.jdbcUrl(), user, "Secret-1234");

            assertThatThrownBy(() -> MyBatisStore.over(limited).queues().openQueue("q"))
                    .isInstanceOf(QueueMisuseException.class)
                    .hasMessageContainingAll(
                            "INSERT command denied", "acidq_queue", "Grant the user of this DataSource");
            assertThatThrownBy(() -> Schema.create(limited))
                    .isInstanceOf(QueueMisuseException.class)
                    .hasMessageContainingAll("CREATE command denied", "acidq_schema");
        } finally {
            execute("DROP USER " + user + "@'%'");
        }
    }
}
