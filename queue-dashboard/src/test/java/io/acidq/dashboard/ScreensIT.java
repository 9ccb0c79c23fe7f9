package io.acidq.dashboard;

import static io.acidq.EnqueueOptions.options;
import static io.acidq.dashboard.ExampleShop.encoded;
import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.MessageId;
import io.acidq.testservers.ServerKind;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleFunction;
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

/** How the screens look and are used, which does not depend on the server: themes, languages, keys, hostile texts, charts. */
@Tag("full")
@TestInstance(Lifecycle.PER_CLASS)
class ScreensIT {

    private static final String THEME = "select[title=Colours]";

    /** The charts by their titles, with the series of the API that are their lines, and how a person reads a value. */
    private static final Map<String, List<Line>> CHARTS = Map.of(
            "Messages a minute",
            List.of(
                    new Line("enqueued", ScreensIT::whole),
                    new Line("done", ScreensIT::whole),
                    new Line("retried", ScreensIT::whole),
                    new Line("dead", ScreensIT::whole)),
            "Duration of runs",
            List.of(
                    new Line("runP50", ScreensIT::milliseconds),
                    new Line("runP95", ScreensIT::milliseconds),
                    new Line("runP99", ScreensIT::milliseconds)),
            "Backlog, at most 10,000 of each queue",
            List.of(
                    new Line("ready", ScreensIT::whole),
                    new Line("scheduled", ScreensIT::whole),
                    new Line("waiting", ScreensIT::whole),
                    new Line("deadLetters", ScreensIT::whole)),
            "Age and delay",
            List.of(
                    new Line("oldest", ScreensIT::seconds),
                    new Line("lagP95", milliseconds -> seconds(milliseconds / 1000))));

    private record Line(String name, DoubleFunction<String> format) {}

    private static String whole(double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
    }

    private static String milliseconds(double value) {
        return value < 1000 ? whole(value) + " ms" : seconds(value / 1000);
    }

    /** A duration of less than an hour. */
    private static String seconds(double value) {
        long whole = (long) value;
        return value < 60
                ? Math.round(value) + " s"
                : whole / 60 + " min" + (whole % 60 > 0 ? " " + whole % 60 + " s" : "");
    }

    private ExampleShop shop;
    private Browser browser;

    @BeforeAll
    void start() throws IOException {
        shop = new ExampleShop(ServerKind.MYSQL);
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

    /** In each part of a message: key, ordering key, header, payload and error. */
    @Test
    void eachHostileTextIsShownAsTextOnThePageOfItsMessage() {
        browser.open("overview");
        for (MessageId id : shop.deadLetters(ExampleShop.HOSTILE_QUEUE)) {
            String key = shop.engine().messages().find(id).orElseThrow().key().orElseThrow();
            browser.follow("message?id=" + encoded(id));
            String shown = String.valueOf(browser.script("return document.querySelector('main').textContent"));
            assertThat(shown).contains(id.toString(), "it is a dead letter", HostileTexts.ALL.get(1));
            assertThat(shown.split(Pattern.quote(key), -1))
                    .as("key, ordering key and header: " + key)
                    .hasSizeGreaterThanOrEqualTo(4);
            assertThat(browser.script("return window.__xss")).as(key).isNull();
        }
    }

    /** In the parameters of an address, on a screen that repeats them. */
    @Test
    void hostileAddressesAreShownAsText() {
        for (String text : HostileTexts.ALL.subList(0, 5)) {
            browser.open("queue?queue=" + encoded(text));
            browser.open("messages?queue=" + encoded(text) + "&state=" + encoded(text));
            assertThat(browser.script("return window.__xss")).as(text).isNull();
        }
        for (String text : HostileTexts.ALL) {
            browser.follow("queues?q=" + encoded(text));
            assertThat(String.valueOf(browser.script("return document.querySelector('main').textContent")))
                    .contains("No queue has “" + text + "”");
            assertThat(browser.script("return window.__xss")).as(text).isNull();
        }
        browser.allowErrors("40");
    }

    /** The lines of a chart are drawn, and its table has what the API answers. */
    @Test
    void theChartsOfTheOverviewShowTheNumbersOfTheHistory() {
        shop.fillHistory();
        Instant until = Instant.now().truncatedTo(ChronoUnit.MINUTES).minus(10, ChronoUnit.MINUTES);
        String range = "since=" + until.minus(45, ChronoUnit.MINUTES) + "&until=" + until;
        browser.open("overview?" + range);
        Map<?, ?> history = browser.ask("history?" + range);
        List<?> times = (List<?>) history.get("times");
        assertThat(times).hasSize(45);
        Map<?, ?> series = (Map<?, ?>) history.get("series");

        CHARTS.forEach((title, lines) -> {
            Map<?, ?> chart = browser.chart(title);
            assertThat((List<?>) chart.get("drawn"))
                    .as("pixels of each line of '%s'", title)
                    .hasSize(lines.size())
                    .allSatisfy(pixels -> assertThat((Long) pixels).isPositive());
            for (int line = 0; line < lines.size(); line++) {
                List<?> values = (List<?>) series.get(lines.get(line).name());
                assertThat(values).as(lines.get(line).name()).anyMatch(each -> each != null && number(each) > 0);
                for (int slot = 0; slot < times.size(); slot++) {
                    List<?> row = (List<?>) ((List<?>) chart.get("rows")).get(times.size() - 1 - slot); // newest first
                    Object value = values.get(slot);
                    assertThat(row.get(line))
                            .as("%s of slot %s in '%s'", lines.get(line).name(), slot, title)
                            .isEqualTo(
                                    value == null
                                            ? "–"
                                            : lines.get(line).format().apply(number(value)));
                }
            }
        });
    }

    private static double number(Object value) {
        return ((Number) value).doubleValue();
    }

    @Test
    void whatIsNotThereIsSaidAndAccessible() {
        for (String screen :
                List.of("queue?queue=no-such-queue", "message?id=", "message?id=x", "dead?queue=no-such-queue")) {
            browser.open(screen);
            assertThat(browser.accessibilityProblems()).as(screen).isEmpty();
        }
        browser.allowErrors("40");
    }

    @Test
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

    /** Only rules about colours can find something else in the other theme. */
    @Test
    void everyScreenIsAccessibleInBothThemes() {
        List<String> problems = new ArrayList<>();
        browser.open("overview");
        try {
            for (String screen : shop.screens()) {
                browser.follow(screen);
                browser.choose(THEME, 0, "Light");
                browser.accessibilityProblems().forEach(each -> problems.add("light " + screen + ": " + each));
                browser.choose(THEME, 0, "Dark");
                assertThat(browser.script("return document.documentElement.dataset.theme"))
                        .isEqualTo("dark");
                browser.colourProblems().forEach(each -> problems.add("dark " + screen + ": " + each));
            }
        } finally {
            browser.script("localStorage.clear()");
        }
        assertThat(problems).isEmpty();
    }

    @Test
    void theKeyboardIsEnough() {
        browser.open("overview");
        browser.type("body", "gd");
        browser.awaitText("Messages that failed for good.");
        browser.type("body", "gq");
        browser.awaitText("orders");
        browser.type("body", "/");
        browser.driver().switchTo().activeElement().sendKeys("mai");
        browser.awaitRows(1);
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
    void noScreenScrollsSidewaysOnAPhoneOrInChinese() {
        try {
            browser.resize(320, 800);
            browser.open("overview");
            for (String language : List.of("en", "zh")) {
                browser.script("localStorage.setItem('acidq', arguments[0])", "{\"language\":\"" + language + "\"}");
                browser.open("overview");
                assertThat(browser.script("return document.documentElement.lang"))
                        .isEqualTo(language);
                for (String screen : shop.screens()) {
                    browser.follow(screen);
                    assertThat(browser.script("return document.documentElement.scrollWidth"))
                            .as(language + " " + screen)
                            .satisfies(width -> assertThat((Long) width).isLessThanOrEqualTo(320L));
                }
            }
        } finally {
            browser.script("localStorage.clear()");
            browser.resize(1280, 900);
        }
    }
}
