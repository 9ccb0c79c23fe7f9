package io.acidq.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

/** The files of the front end, and how they are served. */
class UiTest {

    private static final Path SOURCE = Path.of("src/main/resources/io/acidq/dashboard/ui");
    private static final Path VENDOR = Path.of("target/classes/io/acidq/dashboard/ui/vendor");
    private static final Pattern WORD = Pattern.compile("['`]([a-zA-Z]+(?:\\.(?:[a-zA-Z]+|\\$\\{[^}]*}))*)['`]");

    private final Dashboard dashboard = Dashboard.builder()
            .engine(Dashboard.MAIN, new UnreachableDatabase().engine())
            .build();

    static Stream<String> screens() {
        return Ui.SCREENS.stream();
    }

    static Stream<Path> modules() {
        return Ui.FILES.stream()
                .filter(name -> name.endsWith(".js") && !name.startsWith("vendor/"))
                .map(SOURCE::resolve);
    }

    private DashboardResponse get(String path) {
        return dashboard.handle(TestRequest.get(path, Map.of()).build());
    }

    private static String text(DashboardResponse response) {
        return new String(response.body(), StandardCharsets.UTF_8);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> links(String page) {
        Matcher link = Pattern.compile("(?:href|src)=\"([^\"]+)\"").matcher(page);
        List<String> links = new ArrayList<>();
        while (link.find()) {
            links.add(link.group(1));
        }
        return links;
    }

    @Test
    void theListNamesTheFilesThatThereAre() throws IOException {
        TreeSet<String> there = new TreeSet<>();
        for (Path folder : List.of(SOURCE, VENDOR)) {
            try (Stream<Path> files = Files.walk(folder)) {
                files.filter(file ->
                                Files.isRegularFile(file) && !file.toString().endsWith("LICENSE.txt"))
                        .map(file -> (folder.equals(VENDOR) ? "vendor/" : "") + folder.relativize(file))
                        .forEach(there::add);
            }
        }
        there.removeAll(List.of("index.html", "login.html"));

        assertThat(new TreeSet<>(Ui.FILES)).isEqualTo(there);
        assertThat(VENDOR.resolve("preact-LICENSE.txt")).exists();
        assertThat(VENDOR.resolve("htm-LICENSE.txt")).exists();
        assertThat(VENDOR.resolve("uplot-LICENSE.txt")).exists();
    }

    @ParameterizedTest
    @MethodSource("screens")
    void thePageOfEachScreenNamesFilesThatAreKeptForever(String screen) {
        DashboardResponse page = get(screen);

        assertThat(page.status()).isEqualTo(200);
        assertThat(page.headers())
                .containsEntry("Content-Type", "text/html; charset=utf-8")
                .containsEntry("Cache-Control", "no-store");
        assertThat(page.headers().get("Content-Security-Policy"))
                .contains("default-src 'none'", "require-trusted-types-for 'script'; trusted-types 'none'");
        List<String> links = links(text(page));
        assertThat(links).hasSizeGreaterThan(20).allMatch(link -> link.matches("assets/[\\w-]{16}/.+"));
        for (String link : links) {
            DashboardResponse file = get(link);
            assertThat(file.status()).as(link).isEqualTo(200);
            assertThat(file.headers())
                    .containsEntry("Cache-Control", "public, max-age=31536000, immutable")
                    .containsEntry("X-Content-Type-Options", "nosniff");
        }
    }

    @Test
    void aFileIsCompressedAndKnownByItsTag() throws IOException {
        String path = links(text(get("overview"))).stream()
                .filter(link -> link.endsWith("app.js"))
                .findFirst()
                .orElseThrow();
        DashboardResponse plain = get(path);
        DashboardResponse zipped = dashboard.handle(TestRequest.get(path, Map.of())
                .header("accept-encoding", "gzip, br")
                .build());

        assertThat(zipped.headers()).containsEntry("Content-Encoding", "gzip").containsEntry("Vary", "Accept-Encoding");
        assertThat(new GZIPInputStream(new ByteArrayInputStream(zipped.body())).readAllBytes())
                .isEqualTo(plain.body());
        DashboardResponse known = dashboard.handle(TestRequest.get(path, Map.of())
                .header("if-none-match", plain.headers().get("ETag"))
                .build());
        assertThat(known.status()).isEqualTo(304);
        assertThat(known.body()).isEmpty();
    }

    @Test
    void refusesWhatItDoesNotServe() {
        assertThat(get("").headers()).containsEntry("Location", "overview");
        assertThat(get("assets/app.js").status()).isEqualTo(404);
        assertThat(get("assets/../openapi.yaml").status()).isEqualTo(404);
        assertThat(dashboard
                        .handle(TestRequest.post("overview", Map.of()).build())
                        .status())
                .isEqualTo(405);
        DashboardResponse foreign = dashboard.handle(
                TestRequest.get("overview", Map.of()).from("192.0.2.1").build());
        assertThat(foreign.status()).isEqualTo(403);
        assertThat(foreign.headers()).containsEntry("Content-Type", "text/plain; charset=utf-8");
        assertThat(text(foreign)).startsWith("this dashboard answers its own machine only");
    }

    @ParameterizedTest
    @MethodSource("modules")
    void noModuleMakesHtmlOrCodeOfAText(Path module) {
        assertThat(read(module))
                .startsWith("// @ts-check\n")
                .doesNotContainPattern(
                        "innerHTML|outerHTML|insertAdjacent|document\\.write|DOMParser|srcdoc|\\beval\\b|Function\\(|style=\\$|https?://");
    }

    @Test
    void theStylesAreSmall() throws IOException {
        assertThat(Files.size(SOURCE.resolve("acidq.css"))).isLessThan(25 * 1024);
    }

    @Test
    void bothLanguagesHaveTheTextsThatAreUsedAndNoOthers() {
        Map<String, ?> english = texts("en");
        Map<String, ?> chinese = texts("zh");
        assertThat(chinese.keySet()).isEqualTo(english.keySet());
        assertThat(placeholders(chinese)).isEqualTo(placeholders(english));

        String modules = modules().map(UiTest::read).collect(Collectors.joining("\n"));
        TreeSet<String> names = english.keySet().stream()
                .map(key -> key.replaceFirst("\\.(one|other)$", ""))
                .collect(Collectors.toCollection(TreeSet::new));
        TreeSet<String> unused = new TreeSet<>(names);
        Matcher word = WORD.matcher(modules);
        while (word.find()) {
            Pattern used = Pattern.compile(Stream.of(word.group(1).split("\\$\\{[^}]*}", -1))
                    .map(Pattern::quote)
                    .collect(Collectors.joining("[a-zA-Z_]+")));
            unused.removeIf(name -> used.matcher(name).matches());
        }
        assertThat(unused).isEmpty();

        Matcher call = Pattern.compile("\\bt\\('([^']+)'").matcher(modules);
        TreeSet<String> missing = new TreeSet<>();
        while (call.find()) {
            if (!names.contains(call.group(1))) {
                missing.add(call.group(1));
            }
        }
        assertThat(missing).isEmpty();
    }

    private static Map<String, ?> texts(String language) {
        Map<String, Object> texts = new TreeMap<>();
        new JsonMapper()
                .readTree(read(SOURCE.resolve("i18n/" + language + ".json")))
                .properties()
                .forEach(each -> texts.put(each.getKey(), each.getValue().asString()));
        return texts;
    }

    private static Map<String, TreeSet<String>> placeholders(Map<String, ?> texts) {
        Map<String, TreeSet<String>> placeholders = new TreeMap<>();
        texts.forEach((key, text) -> {
            TreeSet<String> names = new TreeSet<>();
            Matcher name = Pattern.compile("\\{\\w+}").matcher(String.valueOf(text));
            while (name.find()) {
                names.add(name.group());
            }
            placeholders.put(key, names);
        });
        return placeholders;
    }
}
