package io.acidq.dashboard;

import static io.acidq.EnqueueOptions.options;
import static io.acidq.dashboard.ExampleShop.encoded;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.acidq.MessageId;
import io.acidq.admin.DeadLetter;
import io.acidq.admin.DeadLetterFilter;
import io.acidq.admin.DeadLetterPage;
import io.acidq.admin.Operator;
import io.acidq.testservers.FullBuild;
import io.acidq.testservers.ServerKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.openqa.selenium.By;
import org.openqa.selenium.JavascriptExecutor;
import org.openqa.selenium.Keys;

/**
 * What operators do in Chromium, below a path that the dashboard was not told: on one server, in the full build on both. Each test fails if the console, the content
 * security policy or the network says something.
 */
@ParameterizedClass
@MethodSource("servers")
@TestInstance(Lifecycle.PER_CLASS)
class BrowserIT {

    @Parameter
    private ServerKind kind;

    private ExampleShop shop;
    private Browser browser;

    static Stream<ServerKind> servers() {
        return FullBuild.IS_ON ? Stream.of(ServerKind.values()) : Stream.of(ServerKind.MYSQL);
    }

    @BeforeParameterizedClassInvocation
    void start() throws IOException {
        shop = new ExampleShop(kind);
        browser = new Browser(shop.url());
    }

    @AfterParameterizedClassInvocation
    void stop() {
        if (browser != null) {
            browser.close();
        }
        shop.close();
    }

    @AfterEach
    void nothingIsWrong() {
        browser.assertNothingWrong();
    }

    @Test
    void anOperatorFindsTheCauseOfAnIncidentAndReplaysItsDeadLetters() {
        int before = shop.deadLetters("invoices").size();
        browser.open("");
        browser.awaitText("Needs attention");
        browser.awaitText("No listener: mail");
        browser.click("Dead letters" + "\n"
                + browser.driver()
                        .findElement(By.cssSelector("nav .badge.problem"))
                        .getText());
        browser.click("invoices");
        browser.awaitText("Dead letters of invoices");
        browser.click("com.example.shop.UnknownCustomerException: no customer 4711, password=•••");
        browser.awaitNoText("SocketTimeoutException");
        browser.click("Replay these");
        browser.type("dialog input[name=reason]", "INC-4712: customer 4711 is there again");
        browser.click("Dry run");
        browser.click("Replay 5");

        browser.awaitText("5 replayed");
        browser.awaitText("No dead letter matches");
        await().atMost(Duration.ofSeconds(20))
                .until(() -> shop.deadLetters("invoices").size() == before - 5);
        browser.click("Audit log");
        browser.awaitText("INC-4712: customer 4711 is there again");
        assertThat(shop.engine().audit().recent(1).get(0).actor()).isEqualTo("local");
    }

    @Test
    @Tag("full")
    void aDeadLetterIsEditedAndReplayed() {
        MessageId id = shop.dieOf("notes", "a note without a text", Map.of("text", ""));
        browser.open("message?id=" + encoded(id));
        browser.click("Edit and replay");
        browser.type("dialog textarea", Keys.chord(Keys.CONTROL, "a") + "{\"text\":");
        browser.awaitText("Not JSON");
        browser.type("dialog textarea", "\"a better one\"}");
        browser.awaitText("What changes");
        browser.type("dialog input[name=reason]", "INC-4713" + Keys.ENTER);

        browser.awaitText("The message is edited and replayed");
        browser.awaitText("edit");
        assertThat(new String(shop.engine().messages().content(id).orElseThrow().payload(), StandardCharsets.UTF_8))
                .isEqualTo("{\"text\":\"a better one\"}");
    }

    /** The content and the time of the death that an edit names belong together. */
    @Test
    void aPageShowsTheContentOfALetterThatHasDiedAgain() {
        MessageId id = shop.dieOf("twice", "the first death", Map.of("text", "one"));
        browser.open("message?id=" + encoded(id));
        browser.awaitText("\"one\"");
        DeadLetter seen = shop.engine()
                .deadLetters()
                .list(DeadLetterFilter.of(id), DeadLetterPage.first(1))
                .get(0);
        shop.engine()
                .deadLetters()
                .editAndReplay(
                        seen, "{\"text\":\"two\"}".getBytes(StandardCharsets.UTF_8), new Operator("bob", "INC-1"));
        shop.dieOf("twice", "the second death", Map.of("text", "another"));

        browser.awaitText("\"two\"");
        browser.click("Edit and replay");
        browser.awaitText("Nothing is changed yet");
        assertThat(browser.script("return document.querySelector('dialog textarea').value"))
                .isEqualTo("{\"text\":\"two\"}");
        browser.click("Cancel");
    }

    /** Spring Security answers with a redirect to its page, also a fetch. */
    @Test
    void aPageWhoseSessionHasEndedLeadsToTheLogin() {
        browser.open("overview");
        browser.script("window.loaded = 1; window.fetch = () => Promise.resolve("
                + "new Response('<p>Please sign in</p>', {headers: {'Content-Type': 'text/html;charset=UTF-8'}}))");

        await().atMost(Duration.ofSeconds(20)).until(() -> browser.script("return window.loaded") == null);
        browser.awaitText("Needs attention");
    }

    /** Also with names and values that are no lines. */
    @Test
    void headersAreReadAsTheyWereWritten() {
        assertThat(
                        ((JavascriptExecutor) browser.driver())
                                .executeAsyncScript(
                                        """
                const [headers, done] = arguments;
                import(new URL('lib/edit.js', document.querySelector('script[type=module]').src)).then(({headerText, parseHeaders}) =>
                    done(JSON.stringify(Object.entries(parseHeaders(headerText(JSON.parse(headers)))))), done);
                """,
                                        "{\"a\":\"line1\\nline2\",\"x:y\":\"v\",\"sp\":\" v \",\"__proto__\":\"p\",\"q\":\"\\\"quoted\\\"\",\"\":\"\",\"url\":\"http://a:1\"}"))
                .isEqualTo(
                        "[[\"a\",\"line1\\nline2\"],[\"x:y\",\"v\"],[\"sp\",\" v \"],[\"__proto__\",\"p\"],[\"q\",\"\\\"quoted\\\"\"],[\"\",\"\"],[\"url\",\"http://a:1\"]]");
    }

    @Test
    @Tag("full")
    void aSlowReplayShowsItsProgressAndIsStopped() {
        for (int i = 0; i < 7; i++) {
            shop.enqueue("slow", Map.of("number", i), options());
        }
        shop.dieOf("slow", "the warehouse is down", Map.of("number", 7));
        browser.open("dead?queue=slow");
        browser.click("Replay all");
        browser.choose("dialog select", 0, "10,000 letters");
        browser.choose("dialog select", 1, "1 a second");
        browser.type("dialog input[name=reason]", "INC-4714");
        browser.click("Dry run");
        browser.click("Replay 8");

        browser.awaitText("of 8");
        browser.click("Stop");
        browser.type("dialog input[name=reason]", "too early" + Keys.ENTER);
        browser.awaitText("Stopped");
        browser.awaitText("Continue");
        assertThat(shop.deadLetters("slow")).hasSizeBetween(1, 8);
    }

    @Test
    void everyScreenIsShownWithoutAnError() {
        for (String screen : shop.screens()) {
            browser.open(screen);
            assertThat(browser.driver().findElements(By.cssSelector(".failure")))
                    .as(screen)
                    .isEmpty();
            assertThat(browser.driver().findElements(By.cssSelector("main h1")))
                    .as(screen)
                    .hasSize(1);
            browser.assertNothingWrong();
        }
        browser.driver().navigate().back();
        browser.awaitText("What operators did, newest first.");
    }

    /** In lists: keys, errors, actors and reasons. */
    @Test
    void hostileTextsAreShownAsText() {
        String first = HostileTexts.ALL.get(0);
        Map<String, String> screens = Map.of(
                "dead?queue=" + ExampleShop.HOSTILE_QUEUE,
                first,
                "messages?queue=" + ExampleShop.HOSTILE_QUEUE,
                first,
                "queues?q=" + encoded(first),
                first,
                "audit?queue=" + ExampleShop.HOSTILE_QUEUE,
                HostileTexts.ALL.get(HostileTexts.ALL.size() - 1));
        for (String screen : screens.keySet()) {
            browser.open(screen);
            browser.awaitText(screens.get(screen));
            assertThat(browser.script("return document.querySelectorAll("
                            + "'main img, main script, main iframe, main style, main form form, main object').length"))
                    .as(screen)
                    .isEqualTo(0L);
        }
    }

    @Test
    @Tag("full")
    void aQueueIsPausedAndResumedWithAReason() {
        browser.open("queue?queue=orders");
        browser.click("Pause");
        browser.type("dialog input[name=reason]", "INC-1" + Keys.ENTER);
        browser.awaitText("orders is paused");
        browser.awaitText("This queue is paused");
        assertThat(shop.engine().control().isPaused("orders")).isTrue();
        browser.click("Resume");
        browser.type("dialog input[name=reason]", "INC-1 is over" + Keys.ENTER);
        browser.awaitText("orders is resumed");
        browser.awaitNoText("This queue is paused");
    }

    /** The page of the second one is old: it still shows the button. */
    @Test
    @Tag("full")
    void ofTwoOperatorsOnOneDeadLetterTheSecondIsToldThatItIsGone() {
        MessageId letter = shop.deadLetters("shipping").get(0);
        try {
            browser.open("overview");
            browser.script("localStorage.setItem('acidq', arguments[0])", "{\"refresh\":0}");
            browser.open("message?id=" + encoded(letter));
            shop.engine().deadLetters().discard(letter, new Operator("ann", "INC-8"));
            browser.click("Replay");
            browser.type("dialog input[name=reason]", "INC-8 too");
            browser.click("Dry run");
            browser.awaitText("Replay 0");
            browser.awaitText("The message is gone");
            browser.open("overview");
        } finally {
            browser.script("localStorage.clear()");
        }
        browser.allowErrors("40");
    }

    @Test
    @Tag("full")
    void aReadThatTakesTooLongIsAskedAgainWithALongerTimeout() throws SQLException {
        shop.whileArchiveIsLocked(() -> {
            browser.open("messages?queue=mail&state=DONE");
            browser.awaitText("the read took longer than 2.0 seconds");
            browser.click("Ask again with 20 s");
            shop.awaitReadWithLimit(20);
        });
        browser.awaitText("This took long, so it is not asked again by itself.");
        browser.awaitText("No message is in the state");
        browser.allowErrors("503");
    }

    @Test
    @Tag("full")
    void whileTheDatabaseIsAwayThePageSaysSoAndKeepsItsNumbers() {
        browser.open("queues");
        shop.away(true);
        try {
            browser.awaitText("The database is away since");
            assertThat(browser.text()).contains("payments");
            assertThat(browser.accessibilityProblems()).isEmpty();
        } finally {
            shop.away(false);
        }
        browser.awaitNoText("The database is away since");
        browser.allowErrors("503");
    }
}
