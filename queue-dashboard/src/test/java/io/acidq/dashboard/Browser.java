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
import org.openqa.selenium.By;
import org.openqa.selenium.JavascriptExecutor;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebDriver;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Chromium on the pages of a dashboard. It waits for conditions, never for a time. */
final class Browser implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

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

    /** Opens a screen, and waits until none of its parts is loading. */
    void open(String screen) {
        driver.get(url + screen);
        await().atMost(PATIENCE).until(this::isLoaded);
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
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(text()).contains(text));
    }

    void awaitNoText(String text) {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(text()).doesNotContain(text));
    }

    /** Clicks the first visible button or link with this text, as soon as there is one. */
    void click(String text) {
        await().alias("a button or link '" + text + "'")
                .atMost(PATIENCE)
                .ignoreException(StaleElementReferenceException.class)
                .until(() -> {
                    for (WebElement each : driver.findElements(By.cssSelector(
                            "dialog[open] button, dialog[open] a, body:not(:has(dialog[open])) :is(button, a)"))) {
                        if (each.isDisplayed()
                                && each.isEnabled()
                                && each.getText().strip().equals(text)) {
                            each.click();
                            return true;
                        }
                    }
                    return false;
                });
    }

    void type(String selector, String text) {
        driver.findElement(By.cssSelector(selector)).sendKeys(text);
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
        driver.manage().logs().get(LogType.PERFORMANCE).forEach(entry -> {
            JsonNode message = new JsonMapper().readTree(entry.getMessage()).path("message");
            if (message.path("method").asString().equals("Network.requestWillBeSent")) {
                hosts.add(message.at("/params/request/url").asString());
            }
        });
        assertThat(hosts).isNotEmpty().allMatch(each -> each.startsWith(url) || each.startsWith("data:"));
        assertThat(script("return window.__xss")).isNull();
    }

    /** Forgets errors in the console that a test has caused. */
    void allowErrors(String part) {
        assertThat(driver.manage().logs().get(LogType.BROWSER).getAll())
                .isNotEmpty()
                .allMatch(entry -> entry.getMessage().contains(part));
    }

    /** What axe finds against WCAG 2.2 A and AA in the page. */
    List<?> accessibilityProblems() {
        script(AXE);
        return (List<?>) driver.executeAsyncScript("""
                const done = arguments[arguments.length - 1];
                axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']})
                    .then(found => done(found.violations.flatMap(each => each.nodes.map(node => each.id + ' ' + node.html + ' ' + node.failureSummary))));
                """);
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
