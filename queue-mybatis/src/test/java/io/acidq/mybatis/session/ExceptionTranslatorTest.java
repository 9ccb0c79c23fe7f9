package io.acidq.mybatis.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.AcidqException;
import io.acidq.QueueMisuseException;
import io.acidq.TransientQueueException;
import java.sql.SQLException;
import org.apache.ibatis.exceptions.PersistenceException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExceptionTranslatorTest {

    @ParameterizedTest
    @ValueSource(ints = {1213, 1205, 1020, 3101, 1040, 2013, 1290, 1114, 40001, 50200})
    void reportsTransientErrorsWithTheirCause(int code) {
        SQLException sql = new SQLException("words of the server", "HY000", code);

        AcidqException failure = ExceptionTranslator.translate("claimDue", new PersistenceException(sql));

        assertThat(failure)
                .isInstanceOf(TransientQueueException.class)
                .hasMessageContainingAll("claimDue", Integer.toString(code), "words of the server")
                .hasCause(sql);
    }

    @ParameterizedTest
    @ValueSource(ints = {1146, 1054, 42102, 42122})
    void saysHowToCreateTheSchema(int code) {
        assertThat(ExceptionTranslator.translate(
                        "insert", new SQLException("Table 'x.acidq_message' doesn't exist", "42S02", code)))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll("insert", "acidq_message", "Schema.create or initialize-schema");
    }

    /** The claim has found the table: to create another one would hide that the handler has changed the database. */
    @ParameterizedTest
    @ValueSource(strings = {"ackIfClaimed", "ackAllIfClaimed", "archiveIfClaimed"})
    void blamesTheHandlerWhenTheTableIsMissingAtItsAcknowledgement(String what) {
        assertThat(ExceptionTranslator.translate(
                        what, new SQLException("Table 'mysql.acidq_message' doesn't exist", "42S02", 1146)))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll(what, "mysql.acidq_message", "the handler has probably changed the database")
                .hasMessageNotContaining("Schema.create");
    }

    @ParameterizedTest
    @ValueSource(ints = {1142, 1044})
    void namesTheGrants(int code) {
        assertThat(ExceptionTranslator.translate(
                        "insert", new SQLException("INSERT command denied for table 'acidq_key'", "42000", code)))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll("INSERT", "acidq_key", "Grant");
    }

    @Test
    void saysWhatToDoWithAReadOnlyTransaction() {
        assertThat(ExceptionTranslator.translate(
                        "insert",
                        new SQLException("Cannot execute statement in a READ ONLY transaction.", "25006", 1792)))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll("insert", "read-only", "setReadOnly(false)");
    }

    @Test
    void wrapsTheRestWithTheNameOfWhatFailed() {
        SQLException sql = new SQLException("Data too long", "22001", 1406);

        assertThat(ExceptionTranslator.translate("takeKey", sql))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll("takeKey failed", "Data too long", "1406")
                .hasCause(sql);
        assertThat(ExceptionTranslator.translate("rescue", new IllegalStateException("a judge's bug")))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll("rescue", "a judge's bug");
    }

    @Test
    void leavesItsOwnExceptionsAsTheyAre() {
        QueueMisuseException own = new QueueMisuseException("as it is");

        assertThat(ExceptionTranslator.translate("x", own)).isSameAs(own);
    }
}
