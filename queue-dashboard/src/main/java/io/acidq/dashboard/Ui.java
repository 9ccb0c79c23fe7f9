package io.acidq.dashboard;

import io.acidq.dashboard.route.RequestException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The front end: one page at the path of each screen, and the files that it loads. These lie under a path with a hash of all of them, so that a
 * browser keeps them until one changes.
 *
 * <p>With the system property {@value #FOLDER} the files are read from that folder at each request: edit, and reload.
 */
final class Ui {

    static final String FOLDER = "acidq.dashboard.ui";

    /** The screens, each at the path of its name. */
    static final Set<String> SCREENS = Set.of(
            "overview",
            "queues",
            "queue",
            "messages",
            "message",
            "dead",
            "scheduled",
            "recurring",
            "topics",
            "nodes",
            "blocked",
            "audit",
            "bulk",
            "doctor");

    /** The files that the page loads. A resource folder cannot be listed in every packaging. */
    static final List<String> FILES = List.of(
            "acidq.css",
            "acidq.svg",
            "app.js",
            "i18n/en.json",
            "i18n/zh.json",
            "lib/act.js",
            "lib/api.js",
            "lib/chart.js",
            "lib/edit.js",
            "lib/html.js",
            "lib/i18n.js",
            "lib/keys.js",
            "lib/pages.js",
            "lib/parts.js",
            "lib/router.js",
            "lib/search.js",
            "lib/settings.js",
            "lib/table.js",
            "lib/time.js",
            "login.js",
            "screen/audit.js",
            "screen/blocked.js",
            "screen/bulk.js",
            "screen/dead.js",
            "screen/doctor.js",
            "screen/message.js",
            "screen/messages.js",
            "screen/nodes.js",
            "screen/overview.js",
            "screen/queue.js",
            "screen/queues.js",
            "screen/recurring.js",
            "screen/scheduled.js",
            "screen/topics.js",
            "vendor/hooks.js",
            "vendor/htm.js",
            "vendor/preact.js",
            "vendor/uplot.css",
            "vendor/uplot.js");

    private static final Map<String, String> MEDIA_TYPES = Map.of(
            "css", "text/css; charset=utf-8",
            "html", "text/html; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "json", "application/json",
            "svg", "image/svg+xml");

    private static final String IMMUTABLE = "public, max-age=31536000, immutable";

    private final @Nullable Path folder;
    private final Map<String, String> headers;
    private final String assets;
    private final Map<String, Asset> byPath = new LinkedHashMap<>();
    private final @Nullable Login login;
    private final Asset index;

    /**
     * Reads the files.
     *
     * @param folder  a folder to read them from at each request instead of once; null for none
     * @param headers the headers of every response
     * @param login   users who can sign out; null for none
     */
    Ui(@Nullable Path folder, Map<String, String> headers, @Nullable Login login) {
        this.folder = folder;
        this.headers = headers;
        this.login = login;
        Map<String, Asset> files = new LinkedHashMap<>();
        FILES.forEach(name -> files.put(name, Asset.of(name, read(name))));
        String all = files.values().stream().map(Asset::hash).collect(Collectors.joining());
        assets = "assets/" + (folder != null ? "source" : Asset.hash(all.getBytes(StandardCharsets.UTF_8))) + "/";
        files.forEach((name, asset) -> byPath.put(assets + name, asset));
        index = index();
    }

    static Ui create(Map<String, String> headers, @Nullable Login login) {
        String folder = System.getProperty(FOLDER);
        return new Ui(folder == null ? null : Path.of(folder), headers, login);
    }

    /** Whether a path is that of a screen or a file. */
    boolean has(String path) {
        return path.isEmpty() || SCREENS.contains(path) || byPath.containsKey(path);
    }

    /** Whether a person looks at the response, so that an error is a sentence. */
    boolean isPage(String path) {
        return path.isEmpty() || SCREENS.contains(path);
    }

    /** Whether a path is that of a file that all pages load, also the one where a user signs in. */
    boolean isFile(String path) {
        return byPath.containsKey(path);
    }

    /** The page where a user signs in. */
    DashboardResponse loginPage(DashboardRequest request, boolean usesCode) {
        String page = page("login.html").replace("data-code=\"\"", "data-code=\"" + (usesCode ? "yes" : "") + "\"");
        return response(request, Asset.of("login.html", page.getBytes(StandardCharsets.UTF_8)), "no-store");
    }

    DashboardResponse answer(DashboardRequest request) {
        if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
            throw new RequestException(405, "the method must be GET");
        }
        if (request.path().isEmpty()) {
            return with(302, Map.of("Location", "overview"), new byte[0]);
        }
        Asset file = byPath.get(request.path());
        if (file == null) {
            return response(request, folder == null ? index : index(), "no-store");
        }
        if (folder != null) {
            String name = request.path().substring(assets.length());
            return response(request, Asset.of(name, read(name)), "no-store");
        }
        return response(request, file, IMMUTABLE);
    }

    private DashboardResponse response(DashboardRequest request, Asset file, String cacheControl) {
        String tag = '"' + file.hash() + '"';
        Map<String, String> more = new LinkedHashMap<>();
        more.put("Cache-Control", cacheControl);
        more.put("Vary", "Accept-Encoding");
        boolean isCached = cacheControl.equals(IMMUTABLE);
        if (isCached) {
            more.put("ETag", tag);
        }
        if (isCached && request.values("if-none-match").stream().anyMatch(list -> list.contains(tag))) {
            return with(304, more, new byte[0]);
        }
        more.put("Content-Type", file.mediaType());
        boolean zips = request.values("accept-encoding").stream().anyMatch(list -> list.contains("gzip"));
        if (zips) {
            more.put("Content-Encoding", "gzip");
        }
        return with(200, more, zips ? file.zipped() : file.bytes());
    }

    private DashboardResponse with(int status, Map<String, String> more, byte[] body) {
        Map<String, String> all = new LinkedHashMap<>(headers);
        all.putAll(more);
        return new DashboardResponse(status, all, body);
    }

    /** The page, with the links that let the browser load all modules at once. */
    private Asset index() {
        String modules = FILES.stream()
                .filter(name -> name.endsWith(".js") && !name.equals("login.js"))
                .map(name -> "<link rel=\"modulepreload\" href=\"" + assets + name + "\">")
                .collect(Collectors.joining("\n"));
        String page = page("index.html")
                .replace("<!-- modulepreload -->", modules)
                .replace("data-sign-out=\"\"", "data-sign-out=\"" + (login != null ? "yes" : "") + "\"");
        return Asset.of("index.html", page.getBytes(StandardCharsets.UTF_8));
    }

    private String page(String name) {
        return new String(read(name), StandardCharsets.UTF_8).replace("=\"assets/", "=\"" + assets);
    }

    private byte[] read(String name) {
        try {
            if (folder != null && Files.exists(folder.resolve(name))) {
                return Files.readAllBytes(folder.resolve(name));
            }
            try (InputStream in = Ui.class.getResourceAsStream("ui/" + name)) {
                if (in == null) {
                    throw new IllegalStateException("the file ui/" + name
                            + " is missing beside the class: the jar is damaged, or was not built by Maven");
                }
                return in.readAllBytes();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A file, also compressed. */
    private record Asset(String mediaType, String hash, byte[] bytes, byte[] zipped) {

        static Asset of(String name, byte[] bytes) {
            String type = MEDIA_TYPES.get(name.substring(name.lastIndexOf('.') + 1));
            return new Asset(String.valueOf(type), hash(bytes), bytes, zip(bytes));
        }

        static String hash(byte[] bytes) {
            try {
                byte[] hash = MessageDigest.getInstance("SHA-256").digest(bytes);
                return Base64.getUrlEncoder()
                        .withoutPadding()
                        .encodeToString(hash)
                        .substring(0, 16);
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("every JDK has SHA-256", e);
            }
        }

        private static byte[] zip(byte[] bytes) {
            ByteArrayOutputStream zipped = new ByteArrayOutputStream();
            try (GZIPOutputStream out = new GZIPOutputStream(zipped)) {
                out.write(bytes);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return zipped.toByteArray();
        }
    }
}
