package io.acidq.examples.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.acidq.admin.AuditLog;
import io.acidq.admin.BulkAction;
import io.acidq.admin.DeadLetter;
import io.acidq.admin.DeadLetterFilter;
import io.acidq.admin.DeadLetters;
import io.acidq.examples.retry.Bank.Answer;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

@ParameterizedClass
@EnumSource(ServerKind.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RetryPolicyIT {

    @Parameter
    ServerKind kind;

    private static final long ONCE = 1;

    private ConfigurableApplicationContext context;
    private Bank bank;
    private Collecting collecting;
    private DeadLetters dead;
    private JdbcTemplate jdbc;

    @BeforeParameterizedClassInvocation
    void start() {
        TestDatabase database = TestServers.get(kind).createDatabase();
        context = SpringApplication.run(CollectionsApplication.class, database.springArguments());
        bank = context.getBean(Bank.class);
        collecting = context.getBean(Collecting.class);
        dead = context.getBean(DeadLetters.class);
        jdbc = context.getBean(JdbcTemplate.class);
    }

    @AfterParameterizedClassInvocation
    void close() {
        context.close();
    }

    @Test
    void retriesWhatMayPassAndKeepsOnlyTheEffectsOfTheLastAttempt() {
        collect("flaky", Answer.DOWN, Answer.OVERLOADED);

        await().until(() -> collectedFrom("flaky").equals(List.of(3)));
        await().until(() -> lettersTo("flaky") == ONCE);
        assertThat(bank.calls("flaky")).isEqualTo(3);
    }

    @Test
    void countsNoAttemptWhileTheBankIsClosed() {
        collect("early", Answer.CLOSED_FOR_NOW, Answer.CLOSED_FOR_NOW, Answer.CLOSED_FOR_NOW, Answer.CLOSED_FOR_NOW);

        await().until(() -> collectedFrom("early").equals(List.of(1)));
        assertThat(bank.calls("early")).isEqualTo(5);
    }

    @Test
    void letsGoWhatNobodyNeedsAnyMore() {
        collect("gone", Answer.CLOSED_ACCOUNT);
        collect("paid", Answer.PAID_ALREADY);

        await().until(() -> bank.calls("gone") + bank.calls("paid") == 2 && waiting("money.due") == 0);
        assertThat(collectedFrom("gone")).isEmpty();
        assertThat(collectedFrom("paid")).isEmpty();
        assertThat(deadLettersOf("gone")).isEmpty();
        assertThat(deadLettersOf("paid")).isEmpty();
    }

    @Test
    void keepsWhatTheBankHasRefusedUntilItIsReplayed() {
        collect("poor", Answer.REFUSED);
        await().until(() -> deadLettersOf("poor").size() == 1);
        assertThat(deadLettersOf("poor")).singleElement().satisfies(letter -> {
            assertThat(letter.attempts()).isEqualTo(1);
            assertThat(letter.error()).contains("account poor is not covered");
        });
        assertThat(lettersTo("poor")).isZero();

        BulkAction action = BulkAction.by("ada", "the account was covered");
        DeadLetterFilter filter = DeadLetterFilter.of(Collecting.MONEY_DUE).withKey("poor");
        assertThat(dead.replay(filter, action.asDryRun()).matched()).isEqualTo(1);
        assertThat(dead.replay(filter, action).changed()).isEqualTo(1);

        await().until(() -> lettersTo("poor") == ONCE);
        assertThat(collectedFrom("poor")).hasSize(1);
        assertThat(context.getBean(AuditLog.class).recent(1))
                .singleElement()
                .satisfies(entry -> assertThat(entry.actor()).isEqualTo("ada"));
    }

    @Test
    void givesUpAfterTheFourthAttempt() {
        collect("down", Answer.DOWN, Answer.DOWN, Answer.DOWN, Answer.DOWN);

        await().until(() -> deadLettersOf("down").size() == 1);
        assertThat(deadLettersOf("down").get(0).attempts()).isEqualTo(4);
        assertThat(collectedFrom("down")).isEmpty();
    }

    @Test
    void readsThePolicyOfLettersFromTheProperties() {
        collecting.due(new Due("odd", -1));

        await().until(() -> !dead.list(Collecting.LETTER_DUE, 10).isEmpty());
        assertThat(dead.list(Collecting.LETTER_DUE, 10))
                .singleElement()
                .satisfies(letter -> assertThat(letter.attempts()).isEqualTo(1));
    }

    private void collect(String account, Answer... answers) {
        bank.willAnswer(account, answers);
        collecting.due(new Due(account, 100));
    }

    private List<Integer> collectedFrom(String account) {
        return jdbc.queryForList("SELECT attempt FROM collected WHERE account = ?", Integer.class, account);
    }

    private long lettersTo(String account) {
        return jdbc.queryForObject("SELECT COUNT(*) FROM letters WHERE account = ?", Long.class, account);
    }

    private List<DeadLetter> deadLettersOf(String account) {
        return dead.list(Collecting.MONEY_DUE, 100).stream()
                .filter(letter -> letter.key().filter(account::equals).isPresent())
                .toList();
    }

    private long waiting(String queue) {
        return jdbc.queryForObject(
                "SELECT (SELECT COUNT(*) FROM acidq_message m JOIN acidq_queue q ON q.id = m.queue WHERE q.name = ?)"
                        + " + (SELECT COUNT(*) FROM acidq_scheduled s JOIN acidq_queue q ON q.id = s.queue WHERE q.name = ?)",
                Long.class,
                queue,
                queue);
    }
}
