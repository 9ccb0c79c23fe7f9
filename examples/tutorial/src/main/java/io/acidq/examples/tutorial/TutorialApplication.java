package io.acidq.examples.tutorial;

import io.acidq.devdb.DevDatabase;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The shop; with the argument {@code database} the server that it uses, until it is stopped. */
@SpringBootApplication(proxyBeanMethods = false)
public class TutorialApplication {

    private static final int PORT = 33061;

    public static void main(String[] args) throws InterruptedException {
        if (args.length == 1 && args[0].equals("database")) {
            serve();
            return;
        }
        System.exit(SpringApplication.exit(SpringApplication.run(TutorialApplication.class, args)));
    }

    // snippet:database
    /** A real MariaDB in its own process, so that it outlives the application when that is killed. */
    private static void serve() throws InterruptedException {
        try (DevDatabase database = DevDatabase.builder()
                .port(PORT)
                .dataFolder(Path.of("tutorial-data"))
                .start()) {
            System.out.println(database.jdbcUrl() + " as root without password; Ctrl-C ends it");
            new CountDownLatch(1).await();
        }
    }
    // /snippet
}
