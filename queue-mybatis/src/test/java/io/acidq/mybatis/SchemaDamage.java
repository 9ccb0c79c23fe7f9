package io.acidq.mybatis;

import java.util.List;
import java.util.stream.Stream;

/**
 * A damage of the tables.
 *
 * @param difference the message of the check
 * @param statements the statements that cause it
 */
record SchemaDamage(String difference, List<String> statements) {

    static SchemaDamage that(String difference, String... statements) {
        return new SchemaDamage(difference, List.of(statements));
    }

    /** The damages that only MySQL allows. */
    static Stream<SchemaDamage> onMySql() {
        return Stream.of(
                that(
                        "column acidq_message.p_key is varbinary(255) NULL DEFAULT 0x4E554C4C, needs varbinary(255) NULL",
                        "ALTER TABLE acidq_message ALTER p_key SET DEFAULT 'NULL'"),
                that(
                        "table acidq_message has KEY by_id (id), but keeps it from being used",
                        "ALTER TABLE acidq_message ALTER INDEX by_id INVISIBLE"),
                that(
                        "key `low` of acidq_queue is unique and does not belong to AcidQ, can refuse messages, and locks gaps",
                        "ALTER TABLE acidq_queue ADD UNIQUE KEY low ((LOWER(name)))"),
                that(
                        "column acidq_dead.order_key is varbinary(255) NOT NULL DEFAULT uuid(),"
                                + " needs varbinary(255) NOT NULL DEFAULT ''",
                        "ALTER TABLE acidq_dead MODIFY order_key VARBINARY(255) NOT NULL DEFAULT (UUID())"),
                that(
                        "column acidq_key.lane is smallint NULL VIRTUAL GENERATED, needs smallint NOT NULL",
                        "ALTER TABLE acidq_key DROP COLUMN lane, ADD COLUMN lane SMALLINT AS (queue) VIRTUAL"));
    }

    /** The damages that only MariaDB allows. */
    static Stream<SchemaDamage> onMariaDb() {
        return Stream.of(
                that(
                        "column acidq_message.p_key is varbinary(255) NULL DEFAULT 'NULL', needs varbinary(255) NULL",
                        "ALTER TABLE acidq_message ALTER p_key SET DEFAULT 'NULL'"),
                that(
                        "table acidq_message has KEY by_id (id), but keeps it from being used",
                        "ALTER TABLE acidq_message ALTER INDEX by_id IGNORED"),
                that(
                        "column acidq_dead.order_key is varbinary(255) NOT NULL DEFAULT uuid(),"
                                + " needs varbinary(255) NOT NULL DEFAULT ''",
                        "ALTER TABLE acidq_dead MODIFY order_key VARBINARY(255) NOT NULL DEFAULT UUID()"),
                that(
                        "column acidq_key.lane is smallint NULL VIRTUAL GENERATED, needs smallint NOT NULL",
                        "ALTER TABLE acidq_key DROP COLUMN lane, ADD COLUMN lane SMALLINT AS (queue) VIRTUAL"),
                that(
                        "column check `lane` at `acidq_key` does not belong to AcidQ, and acts on the rows of acidq_key",
                        "ALTER TABLE acidq_key MODIFY lane SMALLINT NOT NULL CHECK (lane < 3)"),
                that(
                        "table acidq_dead is system-versioned, so that deleted rows stay",
                        "ALTER TABLE acidq_dead ADD SYSTEM VERSIONING"));
    }

    /** The damages on both servers. */
    static Stream<SchemaDamage> onAnyServer() {
        return Stream.of(toTables(), toColumns(), toKeys(), byRules()).flatMap(s -> s);
    }

    private static Stream<SchemaDamage> toTables() {
        return Stream.of(
                that("table acidq_dead is missing", "DROP TABLE acidq_dead"),
                that(
                        "acidq_lane is a VIEW, not a table",
                        "DROP TABLE acidq_lane",
                        "CREATE VIEW acidq_lane AS SELECT 1 AS queue"),
                that(
                        "table acidq_node has engine MyISAM, needs InnoDB, which has transactions",
                        "ALTER TABLE acidq_node ENGINE=MyISAM"),
                that(
                        "table acidq_lane has lost STATS_PERSISTENT=1 STATS_AUTO_RECALC=0, so that its plans may change",
                        "ALTER TABLE acidq_lane STATS_PERSISTENT=DEFAULT STATS_AUTO_RECALC=DEFAULT"),
                that(
                        "table acidq_dead has lost STATS_PERSISTENT=1 STATS_AUTO_RECALC=0, so that its plans may change",
                        "ALTER TABLE acidq_dead STATS_AUTO_RECALC=1"),
                that(
                        "table acidq_message is partitioned",
                        "ALTER TABLE acidq_message PARTITION BY LIST (queue) (PARTITION p VALUES IN (1, 2))"),
                that(
                        "table acidq_schema does not contain the version, which is 1 if nothing else differs",
                        "DELETE FROM acidq_schema"));
    }

    private static Stream<SchemaDamage> toColumns() {
        return Stream.of(
                that("column acidq_message.batch is missing", "ALTER TABLE acidq_message DROP COLUMN batch"),
                that(
                        "column acidq_message.owner is int NOT NULL, needs int NOT NULL DEFAULT 0",
                        "ALTER TABLE acidq_message ALTER owner DROP DEFAULT"),
                that(
                        "column acidq_message.owner is int NOT NULL DEFAULT 1, needs int NOT NULL DEFAULT 0",
                        "ALTER TABLE acidq_message ALTER owner SET DEFAULT 1"),
                that(
                        "column acidq_dead.order_key is varbinary(255) NOT NULL, needs varbinary(255) NOT NULL DEFAULT ''",
                        "ALTER TABLE acidq_dead ALTER order_key DROP DEFAULT"),
                that(
                        "column acidq_queue.id is smallint NOT NULL, needs int NOT NULL",
                        "ALTER TABLE acidq_queue MODIFY id SMALLINT NOT NULL"),
                that(
                        "column acidq_message.id is bigint NOT NULL, needs bigint NOT NULL AUTO_INCREMENT",
                        "ALTER TABLE acidq_message MODIFY id BIGINT NOT NULL"),
                that(
                        "column acidq_scheduled.id is bigint NOT NULL, needs bigint NOT NULL AUTO_INCREMENT",
                        "ALTER TABLE acidq_scheduled MODIFY id BIGINT NOT NULL"),
                that(
                        "column acidq_node.id is int NOT NULL, needs int NOT NULL AUTO_INCREMENT",
                        "ALTER TABLE acidq_node MODIFY id INT NOT NULL"),
                that(
                        "column acidq_key.p_key is varbinary(100) NOT NULL, needs varbinary(255) NOT NULL",
                        "ALTER TABLE acidq_key MODIFY p_key VARBINARY(100) NOT NULL"),
                that(
                        "column acidq_message.type is varchar(100) COLLATE utf8mb4_general_ci NOT NULL,"
                                + " needs varchar(100) COLLATE utf8mb4_bin NOT NULL",
                        "ALTER TABLE acidq_message MODIFY type VARCHAR(100)"
                                + " CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci NOT NULL"),
                that(
                        "column acidq_message.headers is varbinary(8000) NULL, needs varbinary(8000) NOT NULL",
                        "ALTER TABLE acidq_message MODIFY headers VARBINARY(8000) NULL"),
                that(
                        "column acidq_message.enqueued_at is datetime(6) NULL ON UPDATE CURRENT_TIMESTAMP(6),"
                                + " needs datetime(6) NOT NULL",
                        "ALTER TABLE acidq_message MODIFY enqueued_at DATETIME(6) NULL ON UPDATE CURRENT_TIMESTAMP(6)"),
                that(
                        "column acidq_scheduled.`mi``ne` does not belong to AcidQ and has no default, so that every INSERT fails",
                        "ALTER TABLE acidq_scheduled ADD COLUMN `mi``ne` VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin NOT NULL"));
    }

    private static Stream<SchemaDamage> toKeys() {
        return Stream.of(
                that("table acidq_scheduled lacks KEY by_uid (uid)", "ALTER TABLE acidq_scheduled DROP KEY by_uid"),
                that("table acidq_lane lacks PRIMARY KEY (queue, lane)", "ALTER TABLE acidq_lane DROP PRIMARY KEY"),
                that(
                        "table acidq_message has PRIMARY KEY (queue, id, lane), needs PRIMARY KEY (queue, lane, id)",
                        "ALTER TABLE acidq_message DROP PRIMARY KEY, ADD PRIMARY KEY (queue, id, lane)"),
                that(
                        "table acidq_queue has KEY by_name (name), needs UNIQUE KEY by_name (name)",
                        "ALTER TABLE acidq_queue DROP KEY by_name, ADD KEY by_name (name)"),
                that(
                        "table acidq_queue has UNIQUE KEY by_name (name(10)), needs UNIQUE KEY by_name (name)",
                        "ALTER TABLE acidq_queue DROP KEY by_name, ADD UNIQUE KEY by_name (name(10))"),
                that(
                        "table acidq_message has KEY by_id (id DESC), needs KEY by_id (id)",
                        "ALTER TABLE acidq_message DROP KEY by_id, ADD KEY BY_ID (id DESC)"),
                that(
                        "table acidq_node has FULLTEXT KEY by_state (state), needs KEY by_state (state)",
                        "ALTER TABLE acidq_node DROP KEY by_state, ADD FULLTEXT KEY by_state (state)"),
                that(
                        "key `on``ce` of acidq_message is unique and does not belong to AcidQ, can refuse messages, and locks gaps",
                        "ALTER TABLE acidq_message ADD UNIQUE KEY `on``ce` (uid)"));
    }

    private static Stream<SchemaDamage> byRules() {
        return Stream.of(
                that(
                        "check `sm``all` at `acidq_message` does not belong to AcidQ, and acts on the rows of acidq_message",
                        "ALTER TABLE acidq_message ADD CONSTRAINT `sm``all` CHECK (size < 100)"),
                that(
                        "foreign key `to``own` at `acidq_message` does not belong to AcidQ, and acts on the rows of acidq_message",
                        "CREATE TABLE tenant (id INT NOT NULL PRIMARY KEY) ENGINE=InnoDB",
                        "ALTER TABLE acidq_message ADD CONSTRAINT `to``own` FOREIGN KEY (queue) REFERENCES tenant (id)"),
                that(
                        "foreign key `to``ours` at `nice``ly` does not belong to AcidQ, and acts on the rows of acidq_node",
                        "CREATE TABLE `nice``ly` (id INT NOT NULL,"
                                + " CONSTRAINT `to``ours` FOREIGN KEY (id) REFERENCES acidq_node (id)) ENGINE=InnoDB"));
    }

    @Override
    public String toString() {
        return difference;
    }
}
