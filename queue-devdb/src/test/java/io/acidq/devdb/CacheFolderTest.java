package io.acidq.devdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CacheFolderTest {
    @TempDir
    Path root;

    @Test
    void makesAnEntryOnceForManyThatWantItAtTheSameTime() throws Exception {
        AtomicInteger made = new AtomicInteger();
        Callable<Path> wanting = () -> new CacheFolder(root).provide("entry", empty -> {
            made.incrementAndGet();
            Files.writeString(empty.resolve("file"), "complete");
        });
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<Path>> got = threads.invokeAll(List.of(wanting, wanting, wanting, wanting));
            for (Future<Path> entry : got) {
                assertThat(entry.get().resolve("file")).hasContent("complete");
            }
        } finally {
            threads.shutdown();
        }
        assertThat(made).hasValue(1);
    }

    @Test
    void doesNotTakeAHalfMadeEntryForAWholeOne() {
        CacheFolder cache = new CacheFolder(root);

        assertThatThrownBy(() -> cache.provide("entry", empty -> {
                    Files.writeString(empty.resolve("file"), "half");
                    throw new IOException("disk full");
                }))
                .isInstanceOf(DevDatabaseException.class)
                .hasMessageContaining("disk full")
                .hasMessageContaining("ACIDQ_CACHE");

        assertThat(root).isDirectoryNotContaining("glob:**.new*");
        assertThat(cache.provide("entry", empty -> Files.writeString(empty.resolve("file"), "whole")))
                .isDirectoryContaining("glob:**file");
    }
}
