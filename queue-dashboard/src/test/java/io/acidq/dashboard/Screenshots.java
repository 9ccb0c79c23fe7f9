package io.acidq.dashboard;

import io.acidq.MessageId;
import io.acidq.admin.DeadLetterFilter;
import io.acidq.admin.DeadLetterPage;
import io.acidq.testservers.ServerKind;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.TakesScreenshot;

/** Writes the pictures of the documentation: screens of {@link ExampleShop} in Chromium. The argument is the folder. */
final class Screenshots {

    private Screenshots() {}

    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createDirectories(Path.of(arguments[0]));
        try (ExampleShop shop = new ExampleShop(ServerKind.MYSQL);
                Browser browser = new Browser(shop.url())) {
            shop.fillHistory();
            MessageId dead = shop.engine()
                    .deadLetters()
                    .list(DeadLetterFilter.of("invoices"), DeadLetterPage.first(1))
                    .get(0)
                    .id();
            Map<String, String> screens = new TreeMap<>(Map.of(
                    "overview", "overview",
                    "queue", "queue?queue=orders&range=60",
                    "message", "message?id=" + URLEncoder.encode(dead.toString(), StandardCharsets.UTF_8),
                    "dead-letters", "dead"));
            for (String theme : new String[] {"light", "dark"}) {
                browser.open("overview");
                browser.script("localStorage.setItem('acidq', arguments[0])", "{\"theme\":\"" + theme + "\"}");
                for (Map.Entry<String, String> screen : screens.entrySet()) {
                    browser.open(screen.getValue());
                    byte[] picture = ((TakesScreenshot) browser.driver()).getScreenshotAs(OutputType.BYTES);
                    Files.write(folder.resolve("dashboard-" + screen.getKey() + "-" + theme + ".png"), picture);
                }
            }
        }
    }
}
