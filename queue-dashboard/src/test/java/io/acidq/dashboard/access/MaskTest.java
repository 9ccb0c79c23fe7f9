package io.acidq.dashboard.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.dashboard.access.PayloadMask.Masked;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the default mask hides, in JSON, headers and texts. */
class MaskTest {

    private final SensitiveNames names = new SensitiveNames(SensitiveNames.DEFAULT_WORDS);
    private final PayloadMask mask =
            new JsonPayloadMask(names, List.of("orders:$.customer.birthday", "orders:$.lines.note"));

    private Masked masked(String payload) {
        return mask.mask("orders", "OrderPlaced", Map.of(), payload.getBytes(StandardCharsets.UTF_8));
    }

    private static String compact(Masked masked) {
        return String.valueOf(masked.text()).replaceAll("\\s", "");
    }

    @Test
    void valuesOfSensitiveNamesAreReplacedAtEveryDepth() {
        Masked masked = masked("""
                {"id": 7, "Pass_Word": "a", "card": {"card-number": 4111, "owner": "ann"},
                 "logins": [{"accessToken": {"value": "b", "until": 3}}, {"apikey": ["c", "d"]}], "ok": true, "none": null}
                """);

        assertThat(compact(masked))
                .isEqualTo(
                        "{\"id\":7,\"Pass_Word\":\"•••\",\"card\":{\"card-number\":\"•••\",\"owner\":\"ann\"},\"logins\":[{\"accessToken\":\"•••\"},{\"apikey\":\"•••\"}],\"ok\":true,\"none\":null}");
        assertThat(masked.masked())
                .containsExactly("$.Pass_Word", "$.card.card-number", "$.logins.accessToken", "$.logins.apikey");
        assertThat(masked.mediaType()).isEqualTo("application/json");
        assertThat(masked.truncated()).isFalse();
    }

    @Test
    void valuesAtAPathOfTheQueueAreReplaced() {
        String payload =
                "{\"customer\":{\"birthday\":\"1970-01-01\",\"name\":\"ann\"},\"lines\":[{\"note\":\"x\"},{\"note\":\"y\"}],\"note\":\"z\"}";

        assertThat(compact(masked(payload)))
                .isEqualTo(
                        "{\"customer\":{\"birthday\":\"•••\",\"name\":\"ann\"},\"lines\":[{\"note\":\"•••\"},{\"note\":\"•••\"}],\"note\":\"z\"}");
        assertThat(mask.mask("invoices", "x", Map.of(), payload.getBytes(StandardCharsets.UTF_8))
                        .masked())
                .isEmpty();
    }

    @Test
    void numbersStayAsTheyAreWritten() {
        assertThat(compact(masked("[12345678901234567890123, 1.10, 1e400, -0, 0.1000000000000000055]")))
                .isEqualTo("[12345678901234567890123,1.10,1e400,-0,0.1000000000000000055]");
    }

    @Test
    void aTextWithinJsonIsMaskedLikeAText() {
        Masked masked = masked("{\"url\": \"https://x.example/?token=abc&page=2\"}");

        assertThat(masked.text()).contains("token=•••&page=2");
        assertThat(masked.masked()).containsExactly("$.url");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"password\": \"hunter2\"",
                "{\"password\": {\"a\": \"hunter2\"",
                "{\"password\": \"hunter2\"} trailing",
                "{password: 'hunter2'}",
                "password=hunter2",
                "<x password=\"hunter2\"/>",
                "\"{\\\"password\\\":\\\"hunter2\\\"}\""
            })
    void whatIsNoJsonIsMaskedAsAText(String payload) {
        Masked masked = masked(payload);

        assertThat(masked.mediaType()).isEqualTo("text/plain");
        assertThat(masked.text()).doesNotContain("hunter2").contains("•••");
        assertThat(masked.masked()).containsExactly("$");
    }

    @Test
    void ofALongPayloadTheBeginningIsShownMasked() {
        String payload = "{\"password\": \"hunter2\", \"rows\": [" + "\"0123456789\",".repeat(30_000) + "1]}";

        Masked masked = masked(payload);

        assertThat(masked.truncated()).isTrue();
        assertThat(masked.text()).hasSize(4096).startsWith("{").doesNotContain("hunter2");
        assertThat(masked.masked()).containsExactly("$.password");
    }

    @Test
    void ofALongTextTheBeginningIsShownWithoutAnIncompleteLetter() {
        Masked masked = masked("x" + "ä".repeat(5_000));

        assertThat(masked.truncated()).isTrue();
        assertThat(masked.text()).isEqualTo("x" + "ä".repeat(2047));
    }

    @Test
    void whatIsNoTextIsNotShown() {
        for (byte[] payload :
                List.of(new byte[] {0, 1, 2}, new byte[] {(byte) 0xff, 'a'}, new byte[] {'a', (byte) 0xc3})) {
            Masked masked = mask.mask("orders", "x", Map.of(), payload);
            assertThat(masked.text()).isNull();
            assertThat(masked.mediaType()).isEqualTo("application/octet-stream");
        }
    }

    @Test
    void aDeepPayloadIsShownAsAText() {
        Masked masked = masked("[".repeat(50_000) + "]".repeat(50_000));

        assertThat(masked.mediaType()).isEqualTo("text/plain");
        assertThat(masked.truncated()).isTrue();
    }

    @Test
    void headersAreMasked() {
        Masked masked = mask.mask(
                "orders",
                "x",
                Map.of(
                        "Authorization",
                        "Bearer abc",
                        "x-session-token",
                        "abc",
                        "link",
                        "https://x/?secret=abc",
                        "region",
                        "eu"),
                new byte[0]);

        assertThat(masked.headers())
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "Authorization",
                        "•••",
                        "x-session-token",
                        "•••",
                        "link",
                        "https://x/?secret=•••",
                        "region",
                        "eu"));
        assertThat(masked.masked())
                .containsExactlyInAnyOrder("header:Authorization", "header:x-session-token", "header:link");
    }

    /** A value in the next line is masked if it is in quotes: else it may be another text. */
    @Test
    void aValueMayBeginInTheNextLine() {
        assertThat(names.maskText("\"password\":\n  \"hunter2\", x")).isEqualTo("\"password\":\n  •••, x");
        assertThat(names.maskText("password:\r\n'hunter2'")).isEqualTo("password:\r\n•••");
        assertThat(names.maskText("password:\nnext line")).isEqualTo("password:\nnext line");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "login failed: password=hunter2, user=ann | login failed: password=•••, user=ann",
                "{\"password\":\"hun\\\"ter2\",\"user\":\"ann\"} | {\"password\":•••,\"user\":\"ann\"}",
                "Authorization: Bearer hunter2 | Authorization: •••",
                "Cookie: a=hunter2; b=hunter2 | Cookie: •••",
                "token Bearer hunter2 | token Bearer hunter2",
                "token=Bearer hunter2 end | token=••• end",
                "client_secret = 'hunter2' end | client_secret = ••• end",
                "passwd:hunter2) end | passwd:•••) end",
                "no value: password= | no value: password=",
                "jdbc:mysql://h/db?user=a&password=hunter2&x=1 | jdbc:mysql://h/db?user=a&password=•••&x=1",
                "<password>hunter2 x</password> end | <password>•••</password> end",
                "<a>1</a> | <a>1</a>",
                "jdbc:mysql://ann:hunter2@h/db | jdbc:mysql://ann:•••@h/db",
                "at https://u:hun@ter2@h:80/x?a=b@c, https://h:80/@x | at https://u:•••@h:80/x?a=b@c, https://h:80/@x",
                "password[0]=hunter2, a[1]=b | password[0]=•••, a[1]=b",
                "\"password\" => \"hunter2\" | \"password\" => •••",
                "pwd=hunter2 db-credentials: hunter2 privateKey=hunter2 | pwd=••• db-credentials: ••• privateKey=•••",
                "Unexpected value 7 at line 3 | Unexpected value 7 at line 3"
            })
    void valuesOfSensitiveNamesInATextAreReplaced(String text, String expected) {
        assertThat(names.maskText(text)).isEqualTo(expected);
    }

    @Test
    @Timeout(5)
    void timeGrowsWithTheLengthOnly() {
        long start = System.nanoTime();
        for (String part : List.of(
                "a",
                "\"",
                "\\",
                "password=",
                "password:{",
                "[",
                "= ",
                "a.",
                "://a:",
                "://",
                "@",
                "<password>",
                "password=\n")) {
            names.maskText(part.repeat(200_000));
        }
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(4));
    }

    @Test
    void aWordWithoutLettersWouldMatchEveryName() {
        assertThatThrownBy(() -> new SensitiveNames(List.of("token", "_"))).hasMessageContaining("match every name");
        assertThatThrownBy(() -> new JsonPayloadMask(names, List.of("$.a")))
                .hasMessageContaining("orders:$.customer.birthday");
    }

    @Test
    void aUserHasANameThatTheAuditLogTakes() {
        assertThat(User.of("x".repeat(99) + "😀", User.Level.VIEWER).name()).hasSize(99);
        assertThat(User.of("x".repeat(200), User.Level.VIEWER).name()).hasSize(100);
    }
}
