package io.acidq.dashboard.login;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.dashboard.access.User;
import io.acidq.dashboard.access.User.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The code that is shown on the terminal. */
class OneTimeCodeTest {

    private static final User USER = User.of("ann", Level.OPERATOR);

    private final List<String> terminal = new ArrayList<>();
    private final AtomicLong clock = new AtomicLong();
    private final OneTimeCode accounts = new OneTimeCode(USER, terminal::add, clock::get);

    @Test
    void aCodeOpensOnceAndAnotherOneIsShownThen() {
        assertThat(accounts.signIn("", "")).isNull();
        accounts.prepare();
        accounts.prepare();
        assertThat(terminal).singleElement().asString().matches("[A-Z2-9]{4}-[A-Z2-9]{4}");
        assertThat(accounts.signIn("", "AAAA-AAAA")).isNull();

        assertThat(accounts.signIn("", terminal.get(0).toLowerCase().replace('-', ' ')))
                .isEqualTo(USER);
        assertThat(accounts.signIn("", terminal.get(0))).isNull();

        accounts.prepare();
        assertThat(terminal).hasSize(2).doesNotHaveDuplicates();
        assertThat(accounts.signIn("", terminal.get(0))).isNull();
        assertThat(accounts.signIn("", terminal.get(1))).isEqualTo(USER);
    }

    @Test
    void anOldCodeIsVoid() {
        accounts.prepare();
        clock.addAndGet(Duration.ofMinutes(10).toNanos());

        assertThat(accounts.signIn("", terminal.get(0))).isNull();
        accounts.prepare();
        assertThat(terminal).hasSize(2);
    }
}
