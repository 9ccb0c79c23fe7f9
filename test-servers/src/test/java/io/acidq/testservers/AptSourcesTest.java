package io.acidq.testservers;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.testservers.AptSources.Mirror;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AptSourcesTest {
    @Test
    void readsStanzas() {
        String text = """
                Types: deb deb-src
                # URIs: http://old.example/debian
                URIs: http://mirror.example/debian
                 http://second.example/debian
                Suites: bookworm bookworm-updates
                Components: main contrib
                Signed-By: /usr/share/keyrings/debian.gpg

                Types: deb
                URIs: http://mirror.example/debian-security
                Suites: bookworm-security
                Components: main

                Enabled: no
                Types: deb
                URIs: http://off.example/debian
                Suites: bookworm
                Components: main

                Types: deb
                URIs: http://inline.example/debian
                Suites: trixie
                Components: main
                Signed-By:
                 -----BEGIN PGP PUBLIC KEY BLOCK-----
                 .
                 mQINBGPL
                """;

        assertThat(AptSources.deb822(text))
                .containsExactly(
                        new Mirror("http://mirror.example/debian", "/usr/share/keyrings/debian.gpg"),
                        new Mirror("http://second.example/debian", "/usr/share/keyrings/debian.gpg"),
                        new Mirror("http://inline.example/debian", ""));
    }

    @Test
    void readsLines() {
        String text = """
                # deb http://commented.example/debian bookworm main
                deb http://mirror.example/debian bookworm main contrib
                deb-src http://mirror.example/debian bookworm main
                deb http://mirror.example/debian-security bookworm-security main
                deb [arch=amd64 signed-by=/etc/apt/keyrings/a.gpg] https://signed.example/debian trixie main
                deb http://other.example/apt stable nonfree
                """;

        assertThat(AptSources.classic(text))
                .containsExactly(
                        new Mirror("http://mirror.example/debian", ""),
                        new Mirror("https://signed.example/debian", "/etc/apt/keyrings/a.gpg"));
    }

    @Test
    void putsDebiansOwnMirrorsFirstAndEachOnce(@TempDir Path etcApt) throws IOException {
        Files.writeString(etcApt.resolve("sources.list"), "deb http://vendor.example/apt stable main\n");
        Path parts = Files.createDirectory(etcApt.resolve("sources.list.d"));
        String line = "deb http://mirror.example/debian bookworm main\n";
        Files.writeString(parts.resolve("debian.list"), line + line);

        assertThat(AptSources.mirrors(etcApt))
                .extracting(mirror -> mirror.line("sid"))
                .containsExactly("deb http://mirror.example/debian sid main", "deb http://vendor.example/apt sid main");
    }

    @Test
    void findsNoMirrorWhereThereIsNoApt(@TempDir Path empty) throws IOException {
        assertThat(AptSources.mirrors(empty.resolve("nothing"))).isEmpty();
    }
}
