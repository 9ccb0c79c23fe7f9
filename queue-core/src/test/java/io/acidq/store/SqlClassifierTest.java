package io.acidq.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqlClassifierTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "COMMIT",
                "  commit ; ",
                "/* why */ COMMIT",
                "-- why\nROLLBACK",
                "# why\nROLLBACK WORK",
                "/*!80000 COMMIT */",
                "/*M!100100 COMMIT */",
                "begin",
                "START TRANSACTION",
                "SET autocommit = 1",
                "SET SESSION autocommit=0",
                "set @@session.autocommit = 1",
                "CREATE TABLE t (id INT)",
                "create or replace table t (id INT)",
                "DROP TABLE t",
                "ALTER TABLE t ADD c INT",
                "TRUNCATE t",
                "RENAME TABLE a TO b",
                "LOCK TABLES t WRITE",
                "ANALYZE TABLE t",
                "GRANT ALL ON x TO y",
                "XA START 'a'",
                "SET SESSION sql_mode = '', autocommit = 1",
                "USE other",
                "INSERT INTO t VALUES (1); COMMIT",
                "INSERT INTO t VALUES ('a;b\\'') ; /* why */ commit;",
                "SELECT 1; SELECT 2; CREATE TABLE t (id INT)",
                "BEGIN NOT ATOMIC SELECT 1; COMMIT; END",
                "--\nCOMMIT",
                "--\n-- a banner\n--\nTRUNCATE TABLE t",
                "--\u0001\nCOMMIT",
                "--\t\nCOMMIT",
                "--\r\nCOMMIT",
                "#\nCOMMIT",
                "#\n#\n\nCOMMIT",
                "/**/COMMIT",
                "/***/COMMIT",
                "/*/ why */COMMIT",
                "/* /* */COMMIT",
                "/* -- */COMMIT",
                "/*!80000 */COMMIT",
                "/*! */ COMMIT",
                "/*M! */ COMMIT",
                "/*!999999 SELECT */ COMMIT",
                "/*!999999 /* nested */ SELECT */ COMMIT",
                "/*!80000 /* nested */ COMMIT */",
                "/*!80000 -- why\nCOMMIT */",
                "/*!40000*//*!40000 COMMIT */",
                "/* a *//*!80000 COMMIT */",
                "START/**/TRANSACTION",
                "SET /* why */ PASSWORD = 'x'",
                "SET --\n autocommit = 1",
                "SET DEFAULT ROLE a TO b",
                "SELECT 1 --\tdon't\n; COMMIT",
                "SELECT 1 /*! ; COMMIT */"
            })
    void recognizesWhatEndsATransaction(String sql) {
        assertThat(SqlClassifier.endsTransaction(sql)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "SELECT 'COMMIT'",
                "INSERT INTO commits VALUES (1)",
                "/* COMMIT */ SELECT 1",
                "ROLLBACK TO SAVEPOINT s",
                "rollback work to s",
                "SAVEPOINT s",
                "CREATE TEMPORARY TABLE t (id INT)",
                "DROP TEMPORARY TABLE t",
                "SET @a = 1",
                "SET SESSION innodb_lock_wait_timeout = 1",
                "UPDATE committed SET a = 1",
                "WITH a AS (SELECT 1) SELECT * FROM a",
                "BEGIN NOT ATOMIC SELECT 1; END",
                "CALL create_something()",
                "INSERT INTO t VALUES ('a; COMMIT; b')",
                "INSERT INTO t VALUES ('it''s; COMMIT')",
                "INSERT INTO t VALUES ('\\'; COMMIT')",
                "SELECT \"a; COMMIT\", `b; COMMIT` /* ; COMMIT */ -- ; COMMIT",
                "SELECT 1;",
                "SELECT 1; SELECT 2",
                "SELECT 2--1",
                "SELECT '--\n; COMMIT', '#', '/*' --\n, 1",
                "-- COMMIT",
                "--",
                "/*+ COMMIT */ SELECT 1",
                "/* COMMIT",
                "ROLLBACK /* why */ TO s",
                "CREATE /* why */ TEMPORARY TABLE t (id INT)"
            })
    void letsPassWhatEndsNoTransaction(String sql) {
        assertThat(SqlClassifier.endsTransaction(sql)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SET SESSION innodb_lock_wait_timeout = 1",
                "set time_zone = '+02:00'",
                "SET @@sql_mode = ''",
                "SET @@session.sql_mode = ''",
                "/* why */ SET NAMES latin1",
                "SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE",
                "SET ROLE auditor",
                "SET @a = 1, SESSION sql_mode = ''",
                "SET @a := 1, @@session.sql_mode = ''",
                "SET GLOBAL max_connections = 10, SESSION sql_mode = ''",
                "SET @a = 1, time_zone = '+02:00'",
                "SELECT 1; SET time_zone = '+02:00'",
                "INSERT INTO t VALUES (1); CREATE TEMPORARY TABLE u (id INT)",
                "HANDLER t OPEN",
                "handler shop.t open as h",
                "CREATE TEMPORARY TABLE t (id INT)",
                "create or replace temporary table t (id INT)",
                "SELECT GET_LOCK('a', 1)",
                "/* why */ select get_lock ('a', 1)",
                "DO GET_LOCK('a', 1)",
                "--\nSET SESSION group_concat_max_len = 99",
                "SET/**/NAMES latin1",
                "SET @a = 1, -- why\n time_zone = '+02:00'",
                "/*!80000 */ SET NAMES latin1",
                "HANDLER/**/t/**/OPEN"
            })
    void recognizesWhatChangesTheSession(String sql) {
        assertThat(SqlClassifier.changesSession(sql)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SET @a = 1",
                "SET @a = 1, @b = 2",
                "SET STATEMENT max_statement_time = 1, sort_buffer_size = 100000 FOR SELECT 1",
                "SET STATEMENT max_statement_time = 1 FOR SELECT 1",
                "SET GLOBAL max_connections = 10",
                "SET PERSIST max_connections = 10",
                "SET @@global.max_connections = 10",
                "UPDATE t SET a = 1",
                "HANDLER t READ FIRST",
                "INSERT INTO t VALUES ('a; SET NAMES latin1')",
                "SELECT 'SET NAMES'"
            })
    void letsPassWhatLeavesTheSessionAsItIs(String sql) {
        assertThat(SqlClassifier.changesSession(sql)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CALL book()",
                "call book(?, ?)",
                "{call book(?)}",
                "{? = call total(?)}",
                "/* why */ CALL book()",
                "/*!50000 CALL book() */",
                "EXECUTE s",
                "EXECUTE IMMEDIATE 'COMMIT'",
                "BEGIN NOT ATOMIC COMMIT; END",
                "IF 1 THEN COMMIT; END IF",
                "SET STATEMENT max_statement_time = 1 FOR CALL book()",
                "INSERT INTO t VALUES (1); CALL book()",
                "SELECT 1; EXECUTE s; SELECT 2",
                "--\nCALL book()",
                "SET/**/STATEMENT max_statement_time = 1 FOR CALL book()",
                "/*!80000 CALL book() */",
                "SET /*!999999 @a = 1, */ @b = 1"
            })
    void recognizesWhatRunsStatementsThatItsTextDoesNotShow(String sql) {
        assertThat(SqlClassifier.isOrdinary(sql)).isFalse();
        assertThat(SqlClassifier.runsOthers(sql)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT 1",
                "(SELECT 1) UNION (SELECT 2)",
                "WITH a AS (SELECT 1) SELECT * FROM a",
                "/* CALL book() */ REPLACE INTO t VALUES (1)",
                "SET @a = 1",
                "SAVEPOINT a",
                "ROLLBACK TO SAVEPOINT a",
                "PREPARE s FROM 'COMMIT'",
                "CREATE TEMPORARY TABLE t (id INT)",
                "INSERT INTO t VALUES ('; CALL book()')",
                "SELECT 1; SELECT 2; ",
                "-- why\nSELECT 1",
                "--\nSELECT 1",
                "/*+ hint */ SELECT 1",
                "# CALL book()"
            })
    void letsPassWhatRunsNoOtherStatement(String sql) {
        assertThat(SqlClassifier.runsOthers(sql)).isFalse();
    }
}
