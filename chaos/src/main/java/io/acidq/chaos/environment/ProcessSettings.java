package io.acidq.chaos.environment;

import io.acidq.chaos.role.DatabaseLogin;
import io.acidq.chaos.role.ProducerBehaviour;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The settings of the processes.
 *
 * @param behaviour          what producers place
 * @param producerThreads threads of a producer
 * @param workerThreads   workers of an engine
 */
public record ProcessSettings(ProducerBehaviour behaviour, int producerThreads, int workerThreads) {

    private static final String ROLES = "io.acidq.chaos.role.";

    List<String> producer(DatabaseLogin databaseLogin, Path journal, int number) {
        return List.of(
                ROLES + "ProducerMain",
                databaseLogin.url(),
                databaseLogin.user(),
                databaseLogin.password(),
                journal.toString(),
                "p" + number,
                String.valueOf(producerThreads),
                String.valueOf(behaviour.perSecond()),
                String.valueOf(behaviour.seed()),
                behaviour.faultyActions().stream().sorted().map(Enum::name).collect(Collectors.joining(",")),
                String.valueOf(behaviour.oneIn()),
                String.valueOf(behaviour.publishIn()),
                String.valueOf(behaviour.expireIn()),
                String.valueOf(behaviour.cancelIn()));
    }

    /** Every second worker runs several messages in a transaction. */
    List<String> worker(DatabaseLogin databaseLogin, Path journal, int number) {
        return List.of(
                ROLES + "WorkerMain",
                databaseLogin.url(),
                databaseLogin.user(),
                databaseLogin.password(),
                journal.toString(),
                String.valueOf(workerThreads),
                number % 2 == 0 ? "5" : "1");
    }
}
