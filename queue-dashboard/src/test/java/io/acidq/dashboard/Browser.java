package io.acidq.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.acidq.testservers.Chromium;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.logging.Level;
import org.awaitility.core.ConditionFactory;
import org.openqa.selenium.By;
import org.openqa.selenium.JavascriptExecutor;
import org.openqa.selenium.PageLoadStrategy;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebDriver;
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Chromium on the pages of a dashboard. It waits for conditions, never for a time. */
final class Browser implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final JsonMapper JSON = new JsonMapper();
    private static final String AXE = axe();

    private final String url;
    private final ChromeDriver driver;
    private final List<String> hosts = new ArrayList<>();

    Browser(String url) {
        this.url = url;
        Chromium chromium = Chromium.find();
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        logs.enable(LogType.PERFORMANCE, Level.ALL);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(chromium.browser().toString());
        options.setCapability("goog:loggingPrefs", logs);
        options.setExperimentalOption("perfLoggingPrefs", Map.of("enableNetwork", true, "enablePage", false));
        options.setPageLoadStrategy(PageLoadStrategy.EAGER); // open() waits for more than that
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--window-size=1280,900",
                "--lang=en-US");
        driver = new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(chromium.driver().toFile())
                        .withEnvironment(chromium.environment())
                        .build(),
                options);
    }

    WebDriver driver() {
        return driver;
    }

    private static ConditionFactory soon() {
        return await().atMost(PATIENCE).pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(20));
    }

    /** Opens a screen as a bookmark does, and waits until none of its parts is loading. */
    void open(String screen) {
        driver.get(url + screen);
        soon().until(this::isLoaded);
    }

    /** Goes to a screen as a link of the page that is open does, and waits until none of its parts is loading. The modules are not loaded again. */
    void follow(String screen) {
        script("history.pushState(null, '', arguments[0]); dispatchEvent(new PopStateEvent('popstate'));", screen);
        soon().until(this::isLoaded);
    }

    private boolean isLoaded() {
        return Boolean.TRUE.equals(script(
                "return document.querySelector('main h1') !== null && document.querySelector('.skeleton') === null"));
    }

    Object script(String text, Object... arguments) {
        return ((JavascriptExecutor) driver).executeScript(text, arguments);
    }

    /** The text of the page as a person sees it. */
    String text() {
        return String.valueOf(script("return document.body.innerText"));
    }

    void awaitText(String text) {
        soon().untilAsserted(() -> assertThat(text()).contains(text));
    }

    void awaitNoText(String text) {
        soon().untilAsserted(() -> assertThat(text()).doesNotContain(text));
    }

    void awaitRows(int number) {
        soon().untilAsserted(() -> assertThat(script("return document.querySelectorAll('main tbody tr').length"))
                .isEqualTo((long) number));
    }

    /** Clicks the first visible button or link with this text, as soon as there is one. White space does not count. */
    void click(String text) {
        soon().alias("a button or link '" + text + "'")
                .ignoreException(StaleElementReferenceException.class)
                .until(() -> {
                    Object found = script("""
                            const words = (text) => text.trim().split(/\\s+/).join(' ');
                            return [...document.querySelectorAll('dialog[open] :is(button, a), body:not(:has(dialog[open])) :is(button, a)')]
                                .find((each) => each.checkVisibility() && !each.disabled && words(each.innerText) === words(arguments[0])) ?? null;
                            """, text);
                    if (found == null) {
                        return false;
                    }
                    ((WebElement) found).click();
                    return true;
                });
    }

    /** Types into the first element of a selector, as soon as it is there and visible. */
    void type(String selector, String text) {
        soon().ignoreExceptionsInstanceOf(WebDriverException.class).until(() -> {
            driver.findElement(By.cssSelector(selector)).sendKeys(text);
            return true;
        });
    }

    /** Chooses an option by its text in one of the lists that a selector finds. */
    void choose(String selector, int index, String option) {
        Object found = script(
                "const list = document.querySelectorAll(arguments[0])[arguments[1]];"
                        + "const option = [...list.options].find(each => each.text === arguments[2]);"
                        + "if (!option) { return false; }"
                        + "list.value = option.value; list.dispatchEvent(new Event('change', {bubbles: true})); return true;",
                selector,
                index,
                option);
        assertThat(found).as("an option '" + option + "'").isEqualTo(true);
    }

    /** Fails if the browser has reported an error, a refusal of the content security policy, or a request to another host. */
    void assertNothingWrong() {
        assertThat(driver.manage().logs().get(LogType.BROWSER).getAll()).isEmpty();
        for (LogEntry entry : driver.manage().logs().get(LogType.PERFORMANCE)) {
            if (entry.getMessage().contains("\"Network.requestWillBeSent\"")) {
                JsonNode message = JSON.readTree(entry.getMessage()).path("message");
                hosts.add(message.at("/params/request/url").asString());
            }
        }
        assertThat(hosts).isNotEmpty().allMatch(each -> each.startsWith(url) || each.startsWith("data:"));
        assertThat(script("return window.__xss")).isNull();
    }

    /** Forgets errors in the console that a test has caused. */
    void allowErrors(String part) {
        assertThat(driver.manage().logs().get(LogType.BROWSER).getAll())
                .isNotEmpty()
                .allMatch(entry -> entry.getMessage().contains(part));
    }

    /** The answer of the API to a GET of the page. */
    Map<?, ?> ask(String route) {
        return (Map<?, ?>) driver.executeAsyncScript(
                "fetch('api/v1/' + arguments[0]).then((response) => response.json()).then(arguments[1])", route);
    }

    /**
     * A chart of the page: {@code drawn}, for each of its lines the number of pixels with exactly its colour, and {@code rows}, the texts of its table without the times.
     * Shows the table afterwards.
     */
    Map<?, ?> chart(String title) {
        return (Map<?, ?>) driver.executeAsyncScript("""
                const [title, done] = arguments;
                const chart = [...document.querySelectorAll('figure.chart')].find((each) => each.querySelector('h3').textContent === title);
                const canvas = chart.querySelector('canvas');
                const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
                const drawn = [...chart.querySelectorAll('.legend i')].map((line) => {
                  const probe = document.createElement('i');
                  probe.className = line.className;
                  chart.querySelector('.chart-box').append(probe);
                  const [red, green, blue] = getComputedStyle(probe).color.match(/\\d+/g).map(Number);
                  probe.remove();
                  let found = 0;
                  for (let i = 0; i < pixels.length; i += 4) {
                    found += pixels[i] === red && pixels[i + 1] === green && pixels[i + 2] === blue ? 1 : 0;
                  }
                  return found;
                });
                chart.querySelector('figcaption button').click();
                requestAnimationFrame(() => done({drawn,
                  rows: [...chart.querySelectorAll('tbody tr')].map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent.trim()))}));
                """, title);
    }

    /** What axe finds against WCAG 2.2 A and AA in the page. */
    List<?> accessibilityProblems() {
        return axe("tag", "wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa");
    }

    /** What axe finds by the rules that look at colours. The others find the same in each theme. */
    List<?> colourProblems() {
        return axe("rule", "color-contrast", "link-in-text-block");
    }

    private List<?> axe(String type, String... values) {
        if (!Boolean.TRUE.equals(script("return window.axe !== undefined"))) {
            script(AXE);
        }
        return (List<?>) driver.executeAsyncScript("""
                const [type, values, done] = arguments;
                axe.run(document, {runOnly: {type, values}, resultTypes: ['violations']})
                    .then(found => done(found.violations.flatMap(each => each.nodes.map(node => each.id + ' ' + node.html + ' ' + node.failureSummary))));
                """, type, List.of(values));
    }

    private static String axe() {
        try (InputStream in = Browser.class.getResourceAsStream("/axe.min.js")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Shows the page in a size. */
    void resize(int width, int height) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    }

    @Override
    public void close() {
        driver.quit();
    }
}
