package io.acidq.testservers;

import io.acidq.devdb.CacheFolder;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Chromium and its driver for tests with a browser: those that environment variables name, those that are installed, or those of Debian, which are
 * downloaded once on a machine.
 *
 * @param browser     the program
 * @param driver      chromedriver of the same version
 * @param environment environment variables for both
 */
public record Chromium(Path browser, Path driver, Map<String, String> environment) {

    private static final String BROWSER = "ACIDQ_BROWSER";
    private static final String DRIVER = "ACIDQ_CHROMEDRIVER";
    private static final List<String> INSTALLED = List.of("chromium", "chromium-browser", "google-chrome");

    /**
     * Finds a browser.
     *
     * @throws TestServerException when there is none, with the ways to get one
     */
    public static Chromium find() {
        String browser = System.getenv(BROWSER);
        String driver = System.getenv(DRIVER);
        if (browser != null && driver != null) {
            return new Chromium(Path.of(browser), Path.of(driver), Map.of());
        }
        Optional<Path> installedDriver = onPath("chromedriver");
        Optional<Path> installed =
                INSTALLED.stream().flatMap(name -> onPath(name).stream()).findFirst();
        if (installed.isPresent() && installedDriver.isPresent()) {
            return new Chromium(installed.get(), installedDriver.get(), Map.of());
        }
        try {
            return DebianChromium.get();
        } catch (IOException | TestServerException e) {
            throw new TestServerException(howToGetOne(String.valueOf(e.getMessage())), e);
        }
    }

    private static Optional<Path> onPath(String program) {
        String path = System.getenv("PATH");
        return Stream.of((path == null ? "" : path).split(File.pathSeparator))
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private static String howToGetOne(String debian) {
        return """
                No browser for the tests of the dashboard.
                  Debian's packages: %s
                Do one of these:
                  1. Install Chromium and its driver, such as: apt-get install chromium chromium-driver.
                  2. Name them in the environment variables %s and %s.
                  3. Run the tests on Debian with a reachable mirror: then they are downloaded once, without installation.""".formatted(debian, BROWSER, DRIVER);
    }

    /** Chromium from the packages of the Debian that this machine has. It starts itself again, so that it needs the C library and the loader of the machine. */
    private static final class DebianChromium {

        /**
         * The packages that are left out: those that the machine has, and those that a browser without a graphics card and a desktop does not need.
         */
        private static final Set<String> EXCLUDED =
                Set.of("libc6_", "libc-bin_", "libllvm", "libz3-", "perl", "libperl", "systemd", "adwaita-", "dbus");

        private DebianChromium() {}

        static Chromium get() throws IOException {
            String suite = suite();
            Path folder = CacheFolder.ofUser().provide("chromium-debian-" + suite, each -> fetch(suite, each));
            Path usr = new DebianRoot(folder).usr();
            return new Chromium(
                    usr.resolve("lib/chromium/chromium"),
                    usr.resolve("bin/chromedriver"),
                    Map.of(
                            "LD_LIBRARY_PATH",
                            libraries(folder.resolve("root")),
                            "FONTCONFIG_FILE",
                            folder.resolve("fonts.conf").toString()));
        }

        private static String suite() throws IOException {
            Path file = Path.of("/etc/os-release");
            List<String> lines = Files.isReadable(file) ? Files.readAllLines(file) : List.of();
            String suite = value(lines, "VERSION_CODENAME");
            if (!"debian".equals(value(lines, "ID")) || suite == null) {
                throw new IOException("this machine does not run Debian");
            }
            return suite;
        }

        private static @Nullable String value(List<String> lines, String name) {
            return lines.stream()
                    .filter(line -> line.startsWith(name + "="))
                    .map(line -> line.substring(name.length() + 1).replace("\"", ""))
                    .findFirst()
                    .orElse(null);
        }

        private static void fetch(String suite, Path folder) {
            try {
                DebianRoot.fetchWithout(
                        EXCLUDED,
                        suite,
                        folder,
                        "chromium",
                        "chromium-driver",
                        "fonts-dejavu-core",
                        "fonts-droid-fallback");
                Files.writeString(folder.resolve("fonts.conf"), """
                        <?xml version="1.0"?>
                        <!DOCTYPE fontconfig SYSTEM "fonts.dtd">
                        <fontconfig>
                          <dir>/usr/share/fonts</dir>
                          <dir prefix="relative">root/usr/share/fonts</dir>
                          <alias><family>system-ui</family><prefer><family>DejaVu Sans</family></prefer></alias>
                          <alias><family>sans-serif</family><prefer><family>DejaVu Sans</family></prefer></alias>
                          <alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
                          <cachedir prefix="xdg">fontconfig</cachedir>
                        </fontconfig>
                        """);
            } catch (IOException e) {
                throw new TestServerException("Chromium cannot be downloaded from Debian: " + e.getMessage(), e);
            }
        }

        /** Each folder with a library. */
        private static String libraries(Path root) throws IOException {
            try (Stream<Path> files = Files.walk(root)) {
                return files.filter(file -> file.getFileName().toString().contains(".so"))
                        .map(file -> String.valueOf(file.getParent()))
                        .distinct()
                        .sorted()
                        .collect(Collectors.joining(File.pathSeparator));
            }
        }
    }
}
