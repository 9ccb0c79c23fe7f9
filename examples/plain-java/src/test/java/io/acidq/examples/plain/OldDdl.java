package io.acidq.examples.plain;

/** The five tables as they were found. */
final class OldDdl {

    // snippet:queue
    static final String QUEUE = """
            CREATE TABLE queue (
              id           BIGINT AUTO_INCREMENT PRIMARY KEY,
              biz          VARCHAR(50) NOT NULL,
              conn_id      BIGINT NOT NULL,
              status       ENUM('y', 'run', 'n') NOT NULL,
              data_string  TEXT NOT NULL,
              times        INT NOT NULL,
              update_times DATETIME NOT NULL
            ) ENGINE=InnoDB""";
    // /snippet

    // snippet:message_queue
    static final String MESSAGE_QUEUE = """
            CREATE TABLE message_queue (
              id            BIGINT AUTO_INCREMENT PRIMARY KEY,
              owner         VARCHAR(100) NULL,
              dequeued_time DATETIME NULL,
              message       TEXT NOT NULL
            ) ENGINE=InnoDB""";
    // /snippet

    // snippet:job_queue
    static final String JOB_QUEUE = """
            CREATE TABLE job_queue (
              id       BIGINT AUTO_INCREMENT PRIMARY KEY,
              status   TINYINT NOT NULL,
              data     TEXT NOT NULL,
              batch_id BIGINT NULL
            ) ENGINE=InnoDB""";
    // /snippet

    // snippet:unsent_emails
    static final String UNSENT_EMAILS = """
            CREATE TABLE unsent_emails (
              id      BIGINT AUTO_INCREMENT PRIMARY KEY,
              status  ENUM('unsent', 'claimed', 'sent') NOT NULL,
              owner   INT UNSIGNED NOT NULL,
              ts      TIMESTAMP NOT NULL,
              address VARCHAR(200) NOT NULL,
              body    TEXT NOT NULL,
              KEY (owner, status, ts)
            ) ENGINE=InnoDB""";
    // /snippet

    // snippet:comom_queue
    static final String COMOM_QUEUE = """
            CREATE TABLE comom_queue (
              id            BIGINT AUTO_INCREMENT PRIMARY KEY,
              type          VARCHAR(50) NOT NULL,
              conn_id       BIGINT NOT NULL,
              param_content TEXT NOT NULL,
              callback      VARCHAR(100) NOT NULL,
              status        TINYINT NOT NULL COMMENT '0 new, 1 running, 2 done, 3 failed, 4 to retry',
              create_time   DATETIME NOT NULL,
              update_time   DATETIME NOT NULL,
              preexec_time  DATETIME NULL,
              p_key         VARCHAR(100) NULL,
              mark          VARCHAR(1000) NOT NULL
            ) ENGINE=InnoDB""";
    // /snippet

    private OldDdl() {}
}
