package io.acidq.dashboard;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.acidq.MessageId;
import io.acidq.admin.DeadLetterFilter;
import io.acidq.admin.DeadLetterPage;
import io.acidq.admin.Operator;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.interactions.Actions;

/** The dashboard in Chromium, below a path that it was not told. Each test fails if the console, the content security policy or the network says something. */
@TestInstance(Lifecycle.PER_CLASS)
class BrowserIT {

    private ExampleShop shop;
    private Browser browser;

    @BeforeAll
    void start() throws IOException {
        shop = new ExampleShop();
        browser = new Browser(shop.url());
    }

    @AfterAll
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

    private static String encoded(Object text) {
        return URLEncoder.encode(String.valueOf(text), StandardCharsets.UTF_8);
    }

    private List<MessageId> deadLetters(String queue) {
        return shop.engine().deadLetters().list(DeadLetterFilter.of(queue), DeadLetterPage.first(100)).stream()
                .map(letter -> letter.id())
                .toList();
    }

    /** Each screen with what it shows of the shop. */
    private List<String> screens() {
        MessageId dead = deadLetters(ExampleShop.HOSTILE_QUEUE).get(0);
        List<String> screens = new ArrayList<>(List.of(
                "overview",
                "queues",
                "queue?queue=payments",
                "queue?queue=images",
                "messages",
                "messages?queue=mail",
                "message?id=" + encoded(dead),
                "dead",
                "dead?queue=" + ExampleShop.HOSTILE_QUEUE,
                "dead?queue=invoices&type=none&key=" + encoded(HostileTexts.ALL.get(0)),
                "messages?queue=mail&state=DONE",
                "messages?queue=" + ExampleShop.HOSTILE_QUEUE + "&orderingKey=" + encoded(HostileTexts.ALL.get(0)),
                "scheduled?queue=reports&range=MONTH",
                "audit?actor=ann&action=pause",
                "bulk",
                "scheduled",
                "scheduled?queue=reports",
                "recurring",
                "recurring?name=nightly-report",
                "topics",
                "nodes",
                "blocked",
                "blocked?queue=shipping",
                "audit",
                "doctor"));
        return screens;
    }

    @Test
    void anOperatorFindsTheCauseOfAnIncidentAndReplaysItsDeadLetters() {
        int before = deadLetters("invoices").size();
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
                .until(() -> deadLetters("invoices").size() == before - 5);
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
        assertThat(deadLetters("slow")).hasSizeBetween(1, 8);
    }

    @Test
    void everyScreenIsShownWithoutAnError() {
        for (String screen : screens()) {
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

    /** In each part of a message: key, ordering key, header, payload and error. */
    @Test
    @Tag("full")
    void eachHostileTextIsShownAsTextOnThePageOfItsMessage() {
        for (MessageId id : deadLetters(ExampleShop.HOSTILE_QUEUE)) {
            String key = shop.engine().messages().find(id).orElseThrow().key().orElseThrow();
            browser.open("message?id=" + encoded(id));
            String shown = String.valueOf(browser.script("return document.querySelector('main').textContent"));
            assertThat(shown).contains("it is a dead letter", HostileTexts.ALL.get(1));
            assertThat(shown.split(Pattern.quote(key), -1))
                    .as("key, ordering key and header: " + key)
                    .hasSizeGreaterThanOrEqualTo(4);
            browser.assertNothingWrong();
        }
    }

    /** In the parameters of an address, on a screen that repeats them. */
    @Test
    @Tag("full")
    void hostileAddressesAreShownAsText() {
        for (String text : HostileTexts.ALL) {
            browser.open("queues?q=" + encoded(text));
            browser.awaitText("No queue has");
            assertThat(browser.script("return window.__xss")).isNull();
        }
        for (String text : HostileTexts.ALL.subList(0, 5)) {
            browser.open("queue?queue=" + encoded(text));
            browser.open("messages?queue=" + encoded(text) + "&state=" + encoded(text));
            assertThat(browser.script("return window.__xss")).isNull();
        }
        browser.allowErrors("40");
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
        MessageId letter = deadLetters("shipping").get(0);
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
    void whatIsNotThereIsSaidAndAccessible() {
        for (String screen :
                List.of("queue?queue=no-such-queue", "message?id=", "message?id=x", "dead?queue=no-such-queue")) {
            browser.open(screen);
            assertThat(browser.accessibilityProblems()).as(screen).isEmpty();
        }
        browser.allowErrors("40");
    }

    @Test
    @Tag("full")
    void rowsComeByThemselvesAndWaitWhileThePointerIsOverTheTable() {
        browser.open("messages?queue=mail");
        shop.enqueue("mail", "hello", options().key("arrives-later"));
        browser.awaitText("arrives-later");

        new Actions(browser.driver())
                .moveToElement(browser.driver().findElement(By.cssSelector("tbody tr")))
                .perform();
        shop.enqueue("mail", "hello", options().key("waits-for-the-pointer"));
        browser.awaitText("1 new row");
        assertThat(browser.text()).doesNotContain("waits-for-the-pointer");
        browser.click("1 new row");
        browser.awaitText("waits-for-the-pointer");
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

    @Test
    @Tag("full")
    void everyScreenIsAccessibleInBothThemes() {
        List<String> problems = new ArrayList<>();
        try {
            for (String theme : List.of("light", "dark")) {
                browser.open("overview");
                browser.script("localStorage.setItem('acidq', arguments[0])", "{\"theme\":\"" + theme + "\"}");
                for (String screen : screens()) {
                    browser.open(screen);
                    browser.accessibilityProblems().forEach(each -> problems.add(theme + " " + screen + ": " + each));
                }
            }
        } finally {
            browser.script("localStorage.clear()");
        }
        assertThat(problems).isEmpty();
    }

    @Test
    @Tag("full")
    void theKeyboardIsEnough() {
        browser.open("overview");
        browser.type("body", "gd");
        browser.awaitText("Messages that failed for good.");
        browser.type("body", "gq");
        browser.awaitText("orders");
        browser.type("body", "/");
        browser.driver().switchTo().activeElement().sendKeys("mai");
        browser.awaitNoText("invoices");
        browser.type("body", Keys.ESCAPE.toString());
        browser.script("document.activeElement.blur()");
        browser.type("body", "j");
        browser.driver().switchTo().activeElement().sendKeys(Keys.ENTER);
        browser.awaitText("No living node has a listener of this queue");
        browser.type("body", "?");
        browser.awaitText("Next and previous row");
        browser.click("Close");
    }

    @Test
    @Tag("full")
    void noScreenScrollsSidewaysOnAPhoneOrInChinese() {
        try {
            browser.resize(320, 800);
            for (String language : List.of("en", "zh")) {
                browser.open("overview");
                browser.script("localStorage.setItem('acidq', arguments[0])", "{\"language\":\"" + language + "\"}");
                for (String screen : screens()) {
                    browser.open(screen);
                    assertThat(browser.script("return document.documentElement.scrollWidth"))
                            .as(language + " " + screen)
                            .satisfies(width -> assertThat((Long) width).isLessThanOrEqualTo(320L));
                    assertThat(browser.script("return document.documentElement.lang"))
                            .isEqualTo(language);
                }
            }
        } finally {
            browser.script("localStorage.clear()");
            browser.resize(1280, 900);
        }
    }
}
