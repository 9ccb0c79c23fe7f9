package io.acidq.mybatis;

import static io.acidq.mybatis.SchemaDamage.that;

import io.acidq.testservers.ServerKind;
import java.util.stream.Stream;

class MariaDbSchemaIT extends RealSchemaConformance {

    @Override
    ServerKind kind() {
        return ServerKind.MARIADB;
    }

    @Override
    Stream<SchemaDamage> ownDamages() {
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
                        "column check `lane` at `acidq_key` is not of AcidQ, and acts on the rows of acidq_key",
                        "ALTER TABLE acidq_key MODIFY lane SMALLINT NOT NULL CHECK (lane < 3)"),
                that(
                        "table acidq_dead is system-versioned, so that deleted rows stay",
                        "ALTER TABLE acidq_dead ADD SYSTEM VERSIONING"));
    }
}
