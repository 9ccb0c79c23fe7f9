package io.acidq.mybatis.guard;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SessionStatementTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SET SESSION innodb_lock_wait_timeout = 1",
                "set time_zone = '+02:00'",
                "SET @@sql_mode = ''",
                "SET @@session.sql_mode = ''",
                "/* why */ SET NAMES latin1",
                "SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE",
                "SET ROLE auditor"
            })
    void recognizesWhatChangesTheSession(String sql) {
        assertThat(SessionStatement.is(sql)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SET @a = 1",
                "SET STATEMENT max_statement_time = 1 FOR SELECT 1",
                "SET GLOBAL max_connections = 10",
                "SET PERSIST max_connections = 10",
                "SET @@global.max_connections = 10",
                "UPDATE t SET a = 1",
                "SELECT 'SET NAMES'"
            })
    void letsPassWhatDoesNot(String sql) {
        assertThat(SessionStatement.is(sql)).isFalse();
    }
}
