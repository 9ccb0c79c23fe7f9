-- AcidQ, schema version 1, for H2 in MODE=MySQL: for development only. The same tables and columns as for MySQL, without
-- comments; names of keys are unique in the whole schema here.

CREATE TABLE IF NOT EXISTS acidq_schema (
  id           TINYINT      NOT NULL,
  version      INT          NOT NULL,
  installed_at DATETIME(6)  NOT NULL,
  PRIMARY KEY (id)
);

CREATE TABLE IF NOT EXISTS acidq_queue (
  id           SMALLINT     NOT NULL AUTO_INCREMENT,
  name         VARCHAR(100) NOT NULL,
  lanes        SMALLINT     NOT NULL,
  paused       TINYINT      NOT NULL DEFAULT 0,
  on_dead_head VARCHAR(10) NOT NULL DEFAULT 'SKIP',
  created_at   DATETIME(6)  NOT NULL,
  PRIMARY KEY (id),
  UNIQUE KEY acidq_queue_by_name (name)
);

CREATE TABLE IF NOT EXISTS acidq_lane (
  queue        SMALLINT     NOT NULL,
  lane         SMALLINT     NOT NULL,
  claimed_to   BIGINT       NOT NULL DEFAULT 0,
  PRIMARY KEY (queue, lane)
);

CREATE TABLE IF NOT EXISTS acidq_message (
  queue        SMALLINT     NOT NULL,
  lane         SMALLINT     NOT NULL,
  id           BIGINT       NOT NULL AUTO_INCREMENT,
  uid          BINARY(16)   NOT NULL,
  owner        INT          NOT NULL DEFAULT 0,
  claim_no     INT          NOT NULL DEFAULT 0,
  attempts     INT          NOT NULL DEFAULT 0,
  crashes      INT          NOT NULL DEFAULT 0,
  batch        BIGINT       NOT NULL DEFAULT 0,
  kind         TINYINT      NOT NULL DEFAULT 0,
  enqueued_at  DATETIME(6)  NOT NULL,
  preexec_time DATETIME(6)  NOT NULL,
  first_due    DATETIME(6)  NULL,
  p_key        VARBINARY(255) NULL,
  order_key    VARBINARY(255) NOT NULL DEFAULT X'',
  type         VARCHAR(100) NOT NULL,
  headers      VARBINARY(8000) NOT NULL,
  size         INT          NOT NULL,
  payload      BLOB         NOT NULL,
  PRIMARY KEY (queue, lane, id),
  KEY acidq_message_by_id (id)
);

CREATE TABLE IF NOT EXISTS acidq_scheduled (
  preexec_time DATETIME(6)  NOT NULL,
  id           BIGINT       NOT NULL AUTO_INCREMENT,
  uid          BINARY(16)   NOT NULL,
  queue        SMALLINT     NOT NULL,
  lane         SMALLINT     NOT NULL,
  claim_no     INT          NOT NULL DEFAULT 0,
  attempts     INT          NOT NULL DEFAULT 0,
  crashes      INT          NOT NULL DEFAULT 0,
  enqueued_at  DATETIME(6)  NOT NULL,
  first_due    DATETIME(6)  NULL,
  p_key        VARBINARY(255) NULL,
  order_key    VARBINARY(255) NOT NULL DEFAULT X'',
  type         VARCHAR(100) NOT NULL,
  headers      VARBINARY(8000) NOT NULL,
  size         INT          NOT NULL,
  payload      BLOB         NOT NULL,
  PRIMARY KEY (preexec_time, id),
  KEY acidq_scheduled_by_id (id),
  KEY acidq_scheduled_by_uid (uid),
  KEY acidq_scheduled_by_queue (queue, preexec_time)
);

CREATE TABLE IF NOT EXISTS acidq_dead (
  died_at      DATETIME(6)  NOT NULL,
  uid          BINARY(16)   NOT NULL,
  queue        SMALLINT     NOT NULL,
  lane         SMALLINT     NOT NULL,
  claim_no     INT          NOT NULL,
  attempts     INT          NOT NULL,
  crashes      INT          NOT NULL,
  enqueued_at  DATETIME(6)  NOT NULL,
  preexec_time DATETIME(6)  NOT NULL,
  p_key        VARBINARY(255) NULL,
  order_key    VARBINARY(255) NOT NULL DEFAULT X'',
  type         VARCHAR(100) NOT NULL,
  headers      VARBINARY(8000) NOT NULL,
  size         INT          NOT NULL,
  payload      BLOB         NOT NULL,
  held_id      BIGINT       NOT NULL DEFAULT 0,
  mark         VARCHAR(100000) NOT NULL,
  fingerprint  BINARY(8)    NOT NULL,
  PRIMARY KEY (died_at, uid),
  KEY acidq_dead_by_uid (uid),
  KEY acidq_dead_by_queue (queue, died_at, uid),
  KEY acidq_dead_by_fingerprint (queue, fingerprint, died_at, uid),
  KEY acidq_dead_by_held (queue, held_id)
);

CREATE TABLE IF NOT EXISTS acidq_key (
  queue        SMALLINT     NOT NULL,
  p_key        VARBINARY(255) NOT NULL,
  uid          BINARY(16)   NOT NULL,
  lane         SMALLINT     NOT NULL,
  expires      DATETIME(6)  NOT NULL,
  taken_at     DATETIME(6)  NOT NULL,
  due          DATETIME(6)  NULL,
  scheduled_id BIGINT       NOT NULL DEFAULT 0,
  PRIMARY KEY (queue, p_key),
  KEY acidq_key_by_expires (expires)
);

CREATE TABLE IF NOT EXISTS acidq_node (
  id           INT          NOT NULL AUTO_INCREMENT,
  heartbeats   BIGINT       NOT NULL DEFAULT 0,
  state        VARCHAR(10)  NOT NULL,
  workers      VARCHAR(10000) NOT NULL,
  process      BINARY(16)   NULL,
  host         VARCHAR(255) NOT NULL,
  version      VARCHAR(100) NOT NULL,
  started_at   DATETIME(6)  NOT NULL,
  ended_at     DATETIME(6)  NULL,
  PRIMARY KEY (id),
  KEY acidq_node_by_state (state)
);

CREATE TABLE IF NOT EXISTS acidq_audit (
  id           BIGINT       NOT NULL AUTO_INCREMENT,
  at           DATETIME(6)  NOT NULL,
  actor        VARCHAR(100) NOT NULL,
  action       VARCHAR(20)  NOT NULL,
  queue        SMALLINT     NOT NULL,
  lane         SMALLINT     NOT NULL DEFAULT 0,
  uid          BINARY(16)   NULL,
  bulk         BIGINT       NOT NULL DEFAULT 0,
  filter       VARCHAR(1000) NOT NULL DEFAULT '',
  reason       VARCHAR(500) NOT NULL,
  detail       VARCHAR(1000) NOT NULL,
  PRIMARY KEY (id),
  KEY acidq_audit_by_uid (uid, id),
  KEY acidq_audit_by_bulk (bulk, id)
);

CREATE TABLE IF NOT EXISTS acidq_inbox (
  consumer     VARCHAR(100) NOT NULL,
  p_key        VARBINARY(255) NOT NULL,
  taker        BIGINT       NOT NULL,
  done_at      DATETIME(6)  NOT NULL,
  expires      DATETIME(6)  NOT NULL,
  PRIMARY KEY (consumer, p_key),
  KEY acidq_inbox_by_expires (expires)
);

CREATE TABLE IF NOT EXISTS acidq_parked (
  queue        SMALLINT     NOT NULL,
  order_key    VARBINARY(255) NOT NULL,
  id           BIGINT       NOT NULL,
  lane         SMALLINT     NOT NULL,
  uid          BINARY(16)   NOT NULL,
  claim_no     INT          NOT NULL,
  attempts     INT          NOT NULL,
  crashes      INT          NOT NULL,
  enqueued_at  DATETIME(6)  NOT NULL,
  preexec_time DATETIME(6)  NOT NULL,
  first_due    DATETIME(6)  NULL,
  p_key        VARBINARY(255) NULL,
  type         VARCHAR(100) NOT NULL,
  headers      VARBINARY(8000) NOT NULL,
  size         INT          NOT NULL,
  payload      BLOB         NOT NULL,
  PRIMARY KEY (queue, order_key, id),
  KEY acidq_parked_by_uid (uid)
);

CREATE TABLE IF NOT EXISTS acidq_crash (
  uid          BINARY(16)   NOT NULL,
  died_at      DATETIME(6)  NOT NULL,
  node         INT          NOT NULL,
  host         VARCHAR(255) NOT NULL,
  queue        SMALLINT     NOT NULL,
  lane         SMALLINT     NOT NULL,
  PRIMARY KEY (uid, died_at, node),
  KEY acidq_crash_by_died_at (died_at, uid, node)
);

CREATE TABLE IF NOT EXISTS acidq_archive (
  expires      DATETIME(6)  NOT NULL,
  uid          BINARY(16)   NOT NULL,
  queue        SMALLINT     NOT NULL,
  lane         SMALLINT     NOT NULL,
  done_at      DATETIME(6)  NOT NULL,
  claim_no     INT          NOT NULL,
  attempts     INT          NOT NULL,
  crashes      INT          NOT NULL,
  enqueued_at  DATETIME(6)  NOT NULL,
  p_key        VARBINARY(255) NULL,
  order_key    VARBINARY(255) NOT NULL DEFAULT '',
  type         VARCHAR(100) NOT NULL,
  headers      VARBINARY(8000) NOT NULL,
  size         INT          NOT NULL,
  payload      LONGBLOB     NOT NULL,
  PRIMARY KEY (expires, uid),
  KEY acidq_archive_by_uid (uid),
  KEY acidq_archive_by_queue (queue, done_at, uid)
);

INSERT INTO acidq_schema (id, version, installed_at)
  SELECT 1, 1, CAST(CURRENT_TIMESTAMP(6) AT TIME ZONE 'UTC' AS TIMESTAMP(6)) WHERE NOT EXISTS (SELECT 1 FROM acidq_schema);
