-- AcidQ, schema version 1, for MySQL 8.0 and later and MariaDB 10.6 and later; may be run as a Flyway migration.
-- Times are UTC, by the database's clock. io.acidq.mybatis.Schema compares a database with this file: keep one column or key per line.

CREATE TABLE IF NOT EXISTS acidq_schema (
  id           TINYINT      NOT NULL COMMENT 'always 1: there is one row',
  version      INT          NOT NULL COMMENT 'the version of the tables below',
  installed_at DATETIME(6)  NOT NULL COMMENT 'when it was created',
  PRIMARY KEY (id)
) ENGINE=InnoDB COMMENT='AcidQ: the version of its tables';

CREATE TABLE IF NOT EXISTS acidq_queue (
  id           INT          NOT NULL COMMENT 'the number of the queue in the other tables: a hash of its name, the same in every database',
  name         VARCHAR(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL COMMENT 'the name of the queue',
  lanes        SMALLINT     NOT NULL COMMENT 'the number of its lanes, fixed: an ordering key is hashed into one of them',
  paused       TINYINT      NOT NULL DEFAULT 0 COMMENT '1 when it is paused: nothing of it is claimed',
  on_dead_head VARCHAR(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'SKIP' COMMENT 'what becomes of an ordering key whose head is dead-lettered: SKIP, BLOCK or PARK',
  created_at   DATETIME(6)  NOT NULL COMMENT 'when it was first used',
  PRIMARY KEY (id),
  UNIQUE KEY by_name (name)
) ENGINE=InnoDB COMMENT='AcidQ: the queues; the due-message mover of a queue locks its row';

CREATE TABLE IF NOT EXISTS acidq_lane (
  queue        INT          NOT NULL COMMENT 'the queue',
  lane         SMALLINT     NOT NULL COMMENT 'the lane, from 0',
  claimed_to   BIGINT       NOT NULL DEFAULT 0 COMMENT 'no claim in it lies beyond this id',
  PRIMARY KEY (queue, lane)
) ENGINE=InnoDB STATS_PERSISTENT=1 STATS_AUTO_RECALC=0 COMMENT='AcidQ: the lanes; a claim locks the row of its lane';

CREATE TABLE IF NOT EXISTS acidq_message (
  queue        INT          NOT NULL COMMENT 'the queue',
  lane         SMALLINT     NOT NULL COMMENT 'the lane: any, or the hash of the ordering key',
  id           BIGINT       NOT NULL AUTO_INCREMENT COMMENT 'the place in the lane: the order of delivery',
  uid          BINARY(16)   NOT NULL COMMENT 'the unique number of the message, for life',
  owner        INT          NOT NULL DEFAULT 0 COMMENT 'the node that has claimed it, 0 when free',
  claim_no     INT          NOT NULL DEFAULT 0 COMMENT 'how often it has been claimed; never reset',
  attempts     INT          NOT NULL DEFAULT 0 COMMENT 'starts that count against the maximum',
  crashes      INT          NOT NULL DEFAULT 0 COMMENT 'starts that ended with a crash of the process',
  batch        BIGINT       NOT NULL DEFAULT 0 COMMENT 'the running number, in its node, of the claim that holds it',
  kind         TINYINT      NOT NULL DEFAULT 0 COMMENT '0 message, 1 hold marker, 2 refill marker, 3 hold marker whose followers are parked',
  enqueued_at  DATETIME(6)  NOT NULL COMMENT 'when it was enqueued',
  preexec_time DATETIME(6)  NOT NULL COMMENT 'the due time: not processed before it',
  first_due    DATETIME(6)  NULL COMMENT 'its first due time, or when it was replayed: its age counts from here; NULL: from enqueued_at',
  expires_at   DATETIME(6)  NULL COMMENT 'not started after it; NULL: it does not expire',
  p_key        VARBINARY(255) NULL COMMENT 'the message key, UTF-8, compared byte by byte',
  order_key    VARBINARY(255) NOT NULL DEFAULT '' COMMENT 'the ordering key, UTF-8; empty when there is none',
  type         VARCHAR(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL COMMENT 'the logical name of the type of the payload',
  headers      VARBINARY(8000) NOT NULL COMMENT 'the headers, encoded, UTF-8',
  size         INT          NOT NULL COMMENT 'bytes of the payload',
  payload      LONGBLOB     NOT NULL COMMENT 'the payload, encoded',
  PRIMARY KEY (queue, lane, id),
  KEY by_id (id)
) ENGINE=InnoDB STATS_PERSISTENT=1 STATS_AUTO_RECALC=0 COMMENT='AcidQ: messages that may run, run, or hold the place of their ordering key';

CREATE TABLE IF NOT EXISTS acidq_scheduled (
  preexec_time DATETIME(6)  NOT NULL COMMENT 'the due time: not processed before it',
  id           BIGINT       NOT NULL AUTO_INCREMENT COMMENT 'orders equal due times; another one than in the lane',
  uid          BINARY(16)   NOT NULL COMMENT 'the unique number of the message, for life',
  queue        INT          NOT NULL COMMENT 'the queue',
  lane         SMALLINT     NOT NULL COMMENT 'the lane that it will enter',
  claim_no     INT          NOT NULL DEFAULT 0 COMMENT 'how often it has been claimed; never reset',
  attempts     INT          NOT NULL DEFAULT 0 COMMENT 'starts that count against the maximum',
  crashes      INT          NOT NULL DEFAULT 0 COMMENT 'starts that ended with a crash of the process',
  enqueued_at  DATETIME(6)  NOT NULL COMMENT 'when it was enqueued',
  first_due    DATETIME(6)  NULL COMMENT 'its first due time, or when it was replayed: its age counts from here; NULL: from enqueued_at',
  expires_at   DATETIME(6)  NULL COMMENT 'not started after it; NULL: it does not expire',
  p_key        VARBINARY(255) NULL COMMENT 'the message key, UTF-8, compared byte by byte',
  order_key    VARBINARY(255) NOT NULL DEFAULT '' COMMENT 'the ordering key, UTF-8; empty when there is none',
  type         VARCHAR(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL COMMENT 'the logical name of the type of the payload',
  headers      VARBINARY(8000) NOT NULL COMMENT 'the headers, encoded, UTF-8',
  size         INT          NOT NULL COMMENT 'bytes of the payload',
  payload      LONGBLOB     NOT NULL COMMENT 'the payload, encoded',
  PRIMARY KEY (preexec_time, id),
  KEY by_id (id),
  KEY by_uid (uid),
  KEY by_queue (queue, preexec_time)
) ENGINE=InnoDB STATS_PERSISTENT=1 STATS_AUTO_RECALC=0 COMMENT='AcidQ: messages that wait for their due time';

CREATE TABLE IF NOT EXISTS acidq_dead (
  died_at      DATETIME(6)  NOT NULL COMMENT 'when it became a dead letter',
  uid          BINARY(16)   NOT NULL COMMENT 'the unique number of the message, for life',
  queue        INT          NOT NULL COMMENT 'the queue',
  lane         SMALLINT     NOT NULL COMMENT 'the lane that it lay in',
  claim_no     INT          NOT NULL COMMENT 'how often it has been claimed; never reset',
  attempts     INT          NOT NULL COMMENT 'starts that counted against the maximum',
  crashes      INT          NOT NULL COMMENT 'starts that ended with a crash of the process',
  enqueued_at  DATETIME(6)  NOT NULL COMMENT 'when it was enqueued',
  preexec_time DATETIME(6)  NOT NULL COMMENT 'when it was due',
  expires_at   DATETIME(6)  NULL COMMENT 'it was not to start after it; NULL: it did not expire',
  p_key        VARBINARY(255) NULL COMMENT 'the message key, UTF-8, compared byte by byte',
  order_key    VARBINARY(255) NOT NULL DEFAULT '' COMMENT 'the ordering key, UTF-8; empty when there is none',
  type         VARCHAR(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL COMMENT 'the logical name of the type of the payload',
  headers      VARBINARY(8000) NOT NULL COMMENT 'the headers, encoded, UTF-8',
  size         INT          NOT NULL COMMENT 'bytes of the payload',
  payload      LONGBLOB     NOT NULL COMMENT 'the payload, encoded',
  held_id      BIGINT       NOT NULL DEFAULT 0 COMMENT 'the place in the lane that a hold marker keeps for it; 0 when none',
  mark         MEDIUMTEXT   CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL COMMENT 'the last error, at most 100,000 characters: a longer one lost its middle',
  cause        BINARY(8)    NOT NULL COMMENT 'the hash of the first line of the mark without digits: equal causes',
  PRIMARY KEY (died_at, uid),
  KEY by_uid (uid),
  KEY by_queue (queue, died_at, uid),
  KEY by_cause (queue, cause, died_at, uid),
  KEY by_held (queue, held_id)
) ENGINE=InnoDB STATS_PERSISTENT=1 STATS_AUTO_RECALC=0 COMMENT='AcidQ: dead letters';

CREATE TABLE IF NOT EXISTS acidq_key (
  queue        INT          NOT NULL COMMENT 'the queue',
  p_key        VARBINARY(255) NOT NULL COMMENT 'the message key, UTF-8, compared byte by byte',
  uid          BINARY(16)   NOT NULL COMMENT 'the message that holds it',
  lane         SMALLINT     NOT NULL COMMENT 'the lane of that message',
  kept_until   DATETIME(6)  NOT NULL COMMENT 'the end of the window: may be taken over when its message is gone too',
  taken_at     DATETIME(6)  NOT NULL COMMENT 'when that message was enqueued',
  due          DATETIME(6)  NULL COMMENT 'when that message is due for the first time; NULL: it was due at once',
  scheduled_id BIGINT       NOT NULL DEFAULT 0 COMMENT 'the id of that message in acidq_scheduled, used to replace it; 0: unknown, find it by uid',
  PRIMARY KEY (queue, p_key),
  KEY by_kept_until (kept_until)
) ENGINE=InnoDB STATS_PERSISTENT=1 STATS_AUTO_RECALC=0 COMMENT='AcidQ: message keys and who holds them';

CREATE TABLE IF NOT EXISTS acidq_node (
  id           INT          NOT NULL AUTO_INCREMENT COMMENT 'one registration of an engine; not used again',
  heartbeats   BIGINT       NOT NULL DEFAULT 0 COMMENT 'number of heartbeats; while it rises the node is alive',
  state        VARCHAR(10)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'ALIVE, DEAD (declared by another node) or STOPPED (orderly)',
  workers      TEXT         CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'handlers that it may run at once: queue:workers,queue:workers',
  process      BINARY(16)   NULL COMMENT 'a random number of the registration: after a failover that lost commits, or when the tables were emptied, two may hold one id',
  host         VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL COMMENT 'where it runs, for people',
  version      VARCHAR(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL COMMENT 'the version of AcidQ, for people',
  started_at   DATETIME(6)  NOT NULL COMMENT 'when it registered, for people',
  ended_at     DATETIME(6)  NULL COMMENT 'when it stopped or was declared dead; NULL while it is alive',
  PRIMARY KEY (id),
  KEY by_state (state)
) ENGINE=InnoDB COMMENT='AcidQ: the nodes';

CREATE TABLE IF NOT EXISTS acidq_audit (
  id           BIGINT       NOT NULL AUTO_INCREMENT COMMENT 'the order in which it was recorded',
  at           DATETIME(6)  NOT NULL COMMENT 'when it was done',
  actor        VARCHAR(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL COMMENT 'who did it',
  action       VARCHAR(20)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'replay, discard, release, edit (a replay with another payload), cancel, pause, resume, unsubscribe, or an action on a recurring message',
  queue        INT          NOT NULL COMMENT 'the queue; 0 for a topic',
  lane         SMALLINT     NOT NULL DEFAULT 0 COMMENT 'the lane of the message',
  uid          BINARY(16)   NULL COMMENT 'the message; NULL for a bulk action as a whole, or an action on the queue',
  bulk         BIGINT       NOT NULL DEFAULT 0 COMMENT 'the id of the bulk action that it was part of; 0 when of none',
  filter       VARCHAR(1000) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '' COMMENT 'which messages a bulk action was for',
  reason       VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL COMMENT 'why it was done',
  detail       VARCHAR(1000) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL COMMENT 'the counts of a bulk action; why the message was dead-lettered',
  PRIMARY KEY (id),
  KEY by_uid (uid, id),
  KEY by_bulk (bulk, id)
) ENGINE=InnoDB COMMENT='AcidQ: what operators have done, written by the transaction that did it';

CREATE TABLE IF NOT EXISTS acidq_inbox (
  consumer     VARCHAR(100) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'who has done the work',
  p_key        VARBINARY(255) NOT NULL COMMENT 'the key of the message that it was done for, UTF-8, compared byte by byte',
  taker        BIGINT       NOT NULL COMMENT 'the call that did it, a random number',
  done_at      DATETIME(6)  NOT NULL COMMENT 'when that call took the key',
  kept_until   DATETIME(6)  NOT NULL COMMENT 'the end of the retention: may be taken over, and will be removed',
  PRIMARY KEY (consumer, p_key),
  KEY by_kept_until (kept_until)
) ENGINE=InnoDB STATS_PERSISTENT=1 STATS_AUTO_RECALC=0 COMMENT='AcidQ: what has been done for messages from anywhere';

CREATE TABLE IF NOT EXISTS acidq_parked (
  queue        INT          NOT NULL COMMENT 'the queue',
  order_key    VARBINARY(255) NOT NULL COMMENT 'the ordering key, UTF-8',
  id           BIGINT       NOT NULL COMMENT 'the place in the lane that it comes back to',
  lane         SMALLINT     NOT NULL COMMENT 'the lane that it comes back to',
  uid          BINARY(16)   NOT NULL COMMENT 'the unique number of the message, for life',
  claim_no     INT          NOT NULL COMMENT 'how often it has been claimed; never reset',
  attempts     INT          NOT NULL COMMENT 'starts that count against the maximum',
  crashes      INT          NOT NULL COMMENT 'starts that ended with a crash of the process',
  enqueued_at  DATETIME(6)  NOT NULL COMMENT 'when it was enqueued',
  preexec_time DATETIME(6)  NOT NULL COMMENT 'the due time: not processed before it',
  first_due    DATETIME(6)  NULL COMMENT 'its first due time, or when it was replayed: its age counts from here; NULL: from enqueued_at',
  expires_at   DATETIME(6)  NULL COMMENT 'not started after it; NULL: it does not expire',
  p_key        VARBINARY(255) NULL COMMENT 'the message key, UTF-8, compared byte by byte',
  type         VARCHAR(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL COMMENT 'the logical name of the type of the payload',
  headers      VARBINARY(8000) NOT NULL COMMENT 'the headers, encoded, UTF-8',
  size         INT          NOT NULL COMMENT 'bytes of the payload',
  payload      LONGBLOB     NOT NULL COMMENT 'the payload, encoded',
  PRIMARY KEY (queue, order_key, id),
  KEY by_uid (uid)
) ENGINE=InnoDB STATS_PERSISTENT=1 STATS_AUTO_RECALC=0 COMMENT='AcidQ: followers of closed ordering keys, parked outside of their lane; a refill marker keeps the place of the first one of each key';

CREATE TABLE IF NOT EXISTS acidq_crash (
  uid          BINARY(16)   NOT NULL COMMENT 'the message that ran in the process, or may have run',
  counted_at   DATETIME(6)  NOT NULL COMMENT 'when the crash was counted: when the claims of the node were freed',
  node         INT          NOT NULL COMMENT 'the node that crashed',
  host         VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL COMMENT 'where it ran',
  queue        INT          NOT NULL COMMENT 'the queue',
  lane         SMALLINT     NOT NULL COMMENT 'the lane of the message',
  PRIMARY KEY (uid, counted_at, node),
  KEY by_counted_at (counted_at, uid, node)
) ENGINE=InnoDB STATS_PERSISTENT=1 STATS_AUTO_RECALC=0 COMMENT='AcidQ: the crashes of processes that are counted against messages';

CREATE TABLE IF NOT EXISTS acidq_archive (
  kept_until   DATETIME(6)  NOT NULL COMMENT 'until when it is kept',
  uid          BINARY(16)   NOT NULL COMMENT 'the unique number of the message, for life',
  queue        INT          NOT NULL COMMENT 'the queue',
  lane         SMALLINT     NOT NULL COMMENT 'the lane that it lay in',
  done_at      DATETIME(6)  NOT NULL COMMENT 'when it was done',
  claim_no     INT          NOT NULL COMMENT 'how often it has been claimed',
  attempts     INT          NOT NULL COMMENT 'starts that counted against the maximum, the last one included',
  crashes      INT          NOT NULL COMMENT 'starts that ended with a crash of the process',
  enqueued_at  DATETIME(6)  NOT NULL COMMENT 'when it was enqueued',
  p_key        VARBINARY(255) NULL COMMENT 'the message key, UTF-8, compared byte by byte',
  order_key    VARBINARY(255) NOT NULL DEFAULT '' COMMENT 'the ordering key, UTF-8; empty when there is none',
  type         VARCHAR(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL COMMENT 'the logical name of the type of the payload',
  headers      VARBINARY(8000) NOT NULL COMMENT 'the headers, encoded, UTF-8',
  size         INT          NOT NULL COMMENT 'bytes of the payload',
  payload      LONGBLOB     NOT NULL COMMENT 'the payload, encoded',
  PRIMARY KEY (kept_until, uid),
  KEY by_uid (uid),
  KEY by_queue (queue, done_at, uid)
) ENGINE=InnoDB STATS_PERSISTENT=1 STATS_AUTO_RECALC=0 COMMENT='AcidQ: done messages of queues that keep them';

CREATE TABLE IF NOT EXISTS acidq_subscription (
  topic        VARCHAR(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL COMMENT 'the name of the topic',
  name         VARCHAR(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL COMMENT 'the name of the subscription',
  queue        INT          NOT NULL COMMENT 'its queue, whose name is topic/name',
  filter       VARCHAR(1000) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '' COMMENT 'which messages it gets; empty for all',
  draining     TINYINT      NOT NULL DEFAULT 0 COMMENT '1 when it gets no more messages and is removed when it has none',
  since        DATETIME(6)  NOT NULL COMMENT 'when it was added',
  PRIMARY KEY (topic, name)
) ENGINE=InnoDB STATS_PERSISTENT=1 STATS_AUTO_RECALC=0 COMMENT='AcidQ: the subscriptions of topics';

CREATE TABLE IF NOT EXISTS acidq_recurring (
  name         VARCHAR(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL COMMENT 'the name of the recurring message',
  destination  VARCHAR(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL COMMENT 'the queue that a tick enqueues to, or the topic',
  to_topic     TINYINT      NOT NULL COMMENT '1 when the destination is a topic',
  schedule     VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL COMMENT 'a cron expression, every 30s, or after 30s',
  zone         VARCHAR(50)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'the time zone of a cron expression; empty for others',
  misfire      VARCHAR(20)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'what happens with ticks that are too late: once, skip or catch-up 5',
  grace_micros BIGINT       NOT NULL COMMENT 'how late a tick may be, in microseconds',
  skip_overlap TINYINT      NOT NULL COMMENT '1 when a tick enqueues nothing while the previous message has not ended',
  ttl_micros   BIGINT       NULL COMMENT 'how long after its enqueue a message may be started, in microseconds; NULL: the default of the queue',
  spread_micros BIGINT      NOT NULL DEFAULT 0 COMMENT 'the window in which ticks come later than the schedule says, in microseconds; the name decides how much later',
  paused       TINYINT      NOT NULL DEFAULT 0 COMMENT '1 when its ticks enqueue nothing',
  version      INT          NOT NULL DEFAULT 1 COMMENT 'how often it was changed',
  next_at      DATETIME(6)  NULL COMMENT 'the next tick; for a fixed delay also the next look for the end of the message; NULL when none is left',
  last_queue   INT          NOT NULL DEFAULT 0 COMMENT 'the queue of the previous message',
  last_lane    SMALLINT     NOT NULL DEFAULT 0 COMMENT 'the lane of the previous message',
  last_uid     BINARY(16)   NULL COMMENT 'the previous message; NULL when there is none or its end does not matter',
  declared     VARCHAR(64)  CHARACTER SET ascii COLLATE ascii_bin NULL COMMENT 'a hash of the definition that an engine has last declared; NULL when none has',
  changed_at   DATETIME(6)  NOT NULL COMMENT 'when it was added or changed',
  order_key    VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '' COMMENT 'the ordering key of each message; empty when there is none',
  type         VARCHAR(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL COMMENT 'the logical name of the type of the payload; empty when the payload is the tick',
  headers      VARCHAR(8000) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'the headers of each message, encoded',
  size         INT          NOT NULL COMMENT 'bytes of the payload',
  payload      LONGBLOB     NOT NULL COMMENT 'the payload of each message, encoded',
  PRIMARY KEY (name),
  KEY by_next (paused, next_at)
) ENGINE=InnoDB STATS_PERSISTENT=1 STATS_AUTO_RECALC=0 COMMENT='AcidQ: the recurring messages; a row lock is that of the node that enqueues its tick';

CREATE TABLE IF NOT EXISTS acidq_tick (
  name         VARCHAR(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL COMMENT 'the recurring message',
  tick_at      DATETIME(6)  NOT NULL COMMENT 'the instant of the schedule, the latest one when the row stands for several',
  result       VARCHAR(12)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'ENQUEUED, SKIPPED (too late), OVERLAPPED (the previous message had not ended), TRIGGERED (by an operator) or UNSUBSCRIBED (no subscription of the topic took it)',
  missed       INT          NOT NULL COMMENT 'how many earlier ticks the row also stands for',
  uid          BINARY(16)   NULL COMMENT 'the message; NULL when none was enqueued, or when it was published to a topic',
  done_at      DATETIME(6)  NOT NULL COMMENT 'when it was recorded',
  PRIMARY KEY (name, tick_at),
  KEY by_done_at (done_at, name, tick_at)
) ENGINE=InnoDB STATS_PERSISTENT=1 STATS_AUTO_RECALC=0 COMMENT='AcidQ: what became of the ticks of recurring messages';

CREATE TABLE IF NOT EXISTS acidq_cancel (
  uid          BINARY(16)   NOT NULL COMMENT 'the message that is to be cancelled',
  queue        INT          NOT NULL COMMENT 'the queue',
  lane         SMALLINT     NOT NULL COMMENT 'the lane of the message',
  id           BIGINT       NOT NULL COMMENT 'its place in the lane: a claimed message keeps it',
  at           DATETIME(6)  NOT NULL COMMENT 'when an operator asked for it',
  PRIMARY KEY (uid)
) ENGINE=InnoDB STATS_PERSISTENT=1 STATS_AUTO_RECALC=0 COMMENT='AcidQ: claimed messages that operators have asked to cancel; removed when they have ended';

CREATE TABLE IF NOT EXISTS acidq_receipt (
  uid          BINARY(16)   NOT NULL COMMENT 'the unique number of the message; 0 for the row that says which receipts were removed',
  state        VARCHAR(10)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'PENDING, DONE, DEAD, CANCELLED, EXPIRED or DISCARDED; REMOVED in row 0',
  retention_micros BIGINT       NOT NULL COMMENT 'how long it is kept after the end of the message, in microseconds',
  type         VARCHAR(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '' COMMENT 'the logical name of the type of the result',
  result       BLOB         NULL COMMENT 'the result of the handler, encoded; in row 0 the greatest uid whose receipt was removed',
  ended_at     DATETIME(6)  NULL COMMENT 'when the message ended',
  kept_until   DATETIME(6)  NULL COMMENT 'until when it is kept; NULL while the message or its dead letter exists',
  PRIMARY KEY (uid),
  KEY by_kept_until (kept_until)
) ENGINE=InnoDB STATS_PERSISTENT=1 STATS_AUTO_RECALC=0 COMMENT='AcidQ: whether and how messages have ended, for those that were enqueued with a receipt';

CREATE TABLE IF NOT EXISTS acidq_history (
  step         SMALLINT     NOT NULL COMMENT 'the length of the slot in minutes: 1, 10 or 60',
  queue        INT          NOT NULL COMMENT 'the queue',
  at           DATETIME     NOT NULL COMMENT 'the start of the slot',
  enqueued     INT          NOT NULL DEFAULT 0 COMMENT 'messages enqueued',
  done         INT          NOT NULL DEFAULT 0 COMMENT 'runs that ended as done',
  retried      INT          NOT NULL DEFAULT 0 COMMENT 'runs after which the message is tried again',
  dead         INT          NOT NULL DEFAULT 0 COMMENT 'messages that became dead letters',
  cancelled    INT          NOT NULL DEFAULT 0 COMMENT 'messages that were cancelled or have expired',
  requeued     INT          NOT NULL DEFAULT 0 COMMENT 'runs that count no attempt',
  crashed      INT          NOT NULL DEFAULT 0 COMMENT 'crashes that were counted for a message',
  replayed     INT          NOT NULL DEFAULT 0 COMMENT 'dead letters that were replayed',
  discarded    INT          NOT NULL DEFAULT 0 COMMENT 'dead letters that were discarded',
  run0         INT          NOT NULL DEFAULT 0 COMMENT 'runs that took less than 1 ms',
  run1         INT          NOT NULL DEFAULT 0 COMMENT 'runs that took less than 2 ms',
  run2         INT          NOT NULL DEFAULT 0 COMMENT 'runs that took less than 4 ms',
  run3         INT          NOT NULL DEFAULT 0 COMMENT 'runs that took less than 8 ms',
  run4         INT          NOT NULL DEFAULT 0 COMMENT 'runs that took less than 16 ms',
  run5         INT          NOT NULL DEFAULT 0 COMMENT 'runs that took less than 32 ms',
  run6         INT          NOT NULL DEFAULT 0 COMMENT 'runs that took less than 64 ms',
  run7         INT          NOT NULL DEFAULT 0 COMMENT 'runs that took less than 128 ms',
  run8         INT          NOT NULL DEFAULT 0 COMMENT 'runs that took less than 256 ms',
  run9         INT          NOT NULL DEFAULT 0 COMMENT 'runs that took less than 512 ms',
  run10        INT          NOT NULL DEFAULT 0 COMMENT 'runs that took less than 1024 ms',
  run11        INT          NOT NULL DEFAULT 0 COMMENT 'runs that took less than 2048 ms',
  run12        INT          NOT NULL DEFAULT 0 COMMENT 'runs that took less than 4096 ms',
  run13        INT          NOT NULL DEFAULT 0 COMMENT 'runs that took less than 8192 ms',
  run14        INT          NOT NULL DEFAULT 0 COMMENT 'runs that took less than 16384 ms',
  run15        INT          NOT NULL DEFAULT 0 COMMENT 'runs that took less than 32768 ms',
  run16        INT          NOT NULL DEFAULT 0 COMMENT 'runs that took less than 65536 ms',
  run17        INT          NOT NULL DEFAULT 0 COMMENT 'runs that took less than 131072 ms',
  run18        INT          NOT NULL DEFAULT 0 COMMENT 'runs that took less than 262144 ms',
  run19        INT          NOT NULL DEFAULT 0 COMMENT 'runs that took less than 524288 ms',
  run20        INT          NOT NULL DEFAULT 0 COMMENT 'runs that took less than 1048576 ms',
  run21        INT          NOT NULL DEFAULT 0 COMMENT 'runs that took less than 2097152 ms',
  run22        INT          NOT NULL DEFAULT 0 COMMENT 'runs that took less than 4194304 ms',
  run23        INT          NOT NULL DEFAULT 0 COMMENT 'runs that took longer',
  lag0         INT          NOT NULL DEFAULT 0 COMMENT 'starts that came less than 1 ms after the due time',
  lag1         INT          NOT NULL DEFAULT 0 COMMENT 'starts that came less than 2 ms',
  lag2         INT          NOT NULL DEFAULT 0 COMMENT 'starts that came less than 4 ms',
  lag3         INT          NOT NULL DEFAULT 0 COMMENT 'starts that came less than 8 ms',
  lag4         INT          NOT NULL DEFAULT 0 COMMENT 'starts that came less than 16 ms',
  lag5         INT          NOT NULL DEFAULT 0 COMMENT 'starts that came less than 32 ms',
  lag6         INT          NOT NULL DEFAULT 0 COMMENT 'starts that came less than 64 ms',
  lag7         INT          NOT NULL DEFAULT 0 COMMENT 'starts that came less than 128 ms',
  lag8         INT          NOT NULL DEFAULT 0 COMMENT 'starts that came less than 256 ms',
  lag9         INT          NOT NULL DEFAULT 0 COMMENT 'starts that came less than 512 ms',
  lag10        INT          NOT NULL DEFAULT 0 COMMENT 'starts that came less than 1024 ms',
  lag11        INT          NOT NULL DEFAULT 0 COMMENT 'starts that came less than 2048 ms',
  lag12        INT          NOT NULL DEFAULT 0 COMMENT 'starts that came less than 4096 ms',
  lag13        INT          NOT NULL DEFAULT 0 COMMENT 'starts that came less than 8192 ms',
  lag14        INT          NOT NULL DEFAULT 0 COMMENT 'starts that came less than 16384 ms',
  lag15        INT          NOT NULL DEFAULT 0 COMMENT 'starts that came less than 32768 ms',
  lag16        INT          NOT NULL DEFAULT 0 COMMENT 'starts that came less than 65536 ms',
  lag17        INT          NOT NULL DEFAULT 0 COMMENT 'starts that came less than 131072 ms',
  lag18        INT          NOT NULL DEFAULT 0 COMMENT 'starts that came less than 262144 ms',
  lag19        INT          NOT NULL DEFAULT 0 COMMENT 'starts that came less than 524288 ms',
  lag20        INT          NOT NULL DEFAULT 0 COMMENT 'starts that came less than 1048576 ms',
  lag21        INT          NOT NULL DEFAULT 0 COMMENT 'starts that came less than 2097152 ms',
  lag22        INT          NOT NULL DEFAULT 0 COMMENT 'starts that came less than 4194304 ms',
  lag23        INT          NOT NULL DEFAULT 0 COMMENT 'starts that came later',
  ready        INT          NULL COMMENT 'messages that were due and not claimed, at most 10,000; the highest number of the slot. NULL: not counted',
  waiting      INT          NULL COMMENT 'messages in their lanes that were not due, at most 10,000',
  scheduled    INT          NULL COMMENT 'messages in the schedule that were not due, at most 10,000',
  dead_now     INT          NULL COMMENT 'dead letters, at most 10,000',
  oldest_micros BIGINT       NULL COMMENT 'how long ago the oldest unclaimed message was first due, in microseconds',
  PRIMARY KEY (step, queue, at),
  KEY by_at (step, at)
) ENGINE=InnoDB STATS_PERSISTENT=1 STATS_AUTO_RECALC=0 COMMENT='AcidQ: what the engines have done, by queue and slot';

CREATE TABLE IF NOT EXISTS acidq_node_report (
  node         INT          NOT NULL COMMENT 'the node',
  at           DATETIME(6)  NOT NULL COMMENT 'when it was written',
  body         VARBINARY(16000) NOT NULL COMMENT 'what the node does: a line for each queue, guard and long run; UTF-8',
  PRIMARY KEY (node)
) ENGINE=InnoDB STATS_PERSISTENT=1 STATS_AUTO_RECALC=0 COMMENT='AcidQ: what the nodes do now; removed with its node';

CREATE TABLE IF NOT EXISTS acidq_attempt (
  uid          BINARY(16)   NOT NULL COMMENT 'the message',
  claim_no     INT          NOT NULL COMMENT 'the number of the claim: rises from attempt to attempt',
  queue        INT          NOT NULL COMMENT 'the queue',
  node         INT          NOT NULL COMMENT 'the node that made the attempt',
  started_at   DATETIME(6)  NOT NULL COMMENT 'when it started',
  ended_at     DATETIME(6)  NOT NULL COMMENT 'when its end was recorded',
  outcome      VARCHAR(10)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'RETRY or DEAD',
  retry_at     DATETIME(6)  NULL COMMENT 'when the message was to run again; NULL for a dead letter',
  error        VARCHAR(2000) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL COMMENT 'the error: a longer one lost its middle',
  cause        BINARY(8)    NOT NULL COMMENT 'the hash of the first line of the error without digits: equal causes',
  PRIMARY KEY (uid, claim_no),
  KEY by_ended_at (ended_at)
) ENGINE=InnoDB STATS_PERSISTENT=1 STATS_AUTO_RECALC=0 COMMENT='AcidQ: failed attempts of messages, at most 50 a second of each queue and node';

INSERT IGNORE INTO acidq_schema (id, version, installed_at) VALUES (1, 1, UTC_TIMESTAMP(6));
