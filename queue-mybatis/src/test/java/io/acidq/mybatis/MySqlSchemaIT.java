package io.acidq.mybatis;

import static io.acidq.mybatis.SchemaDamage.that;

import io.acidq.testservers.ServerKind;
import java.util.stream.Stream;

class MySqlSchemaIT extends RealSchemaConformance {

    @Override
    ServerKind kind() {
        return ServerKind.MYSQL;
    }

    @Override
    Stream<SchemaDamage> ownDamages() {
        return Stream.of(
                that(
                        "column acidq_message.p_key is varbinary(255) NULL DEFAULT 0x4E554C4C, needs varbinary(255) NULL",
                        "ALTER TABLE acidq_message ALTER p_key SET DEFAULT 'NULL'"),
                that(
                        "table acidq_message has KEY by_id (id), but keeps it from being used",
                        "ALTER TABLE acidq_message ALTER INDEX by_id INVISIBLE"),
                that(
                        "key `low` of acidq_queue is unique and not of AcidQ, can refuse messages, and locks gaps",
                        "ALTER TABLE acidq_queue ADD UNIQUE KEY low ((LOWER(name)))"),
                that(
                        "column acidq_dead.order_key is varbinary(255) NOT NULL DEFAULT uuid(),"
                                + " needs varbinary(255) NOT NULL DEFAULT ''",
                        "ALTER TABLE acidq_dead MODIFY order_key VARBINARY(255) NOT NULL DEFAULT (UUID())"),
                that(
                        "column acidq_key.lane is smallint NULL VIRTUAL GENERATED, needs smallint NOT NULL",
                        "ALTER TABLE acidq_key DROP COLUMN lane, ADD COLUMN lane SMALLINT AS (queue) VIRTUAL"));
    }
}
