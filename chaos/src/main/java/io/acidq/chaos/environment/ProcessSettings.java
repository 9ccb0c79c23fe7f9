package io.acidq.chaos.environment;

import io.acidq.chaos.role.ProcessProtocol;
import io.acidq.chaos.role.ProducerBehaviour;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What processes are told to do.
 *
 * @param producerBehaviour          what producers place
 * @param producerThreads threads of a producer
 * @param workerThreads   workers of an engine
 */
public record ProcessSettings(ProducerBehaviour producerBehaviour, int producerThreads, int workerThreads) {

    private static final String ROLES = "io.acidq.chaos.role.";

    List<String> producer(ProcessProtocol processProtocol, Path journal, int number) {
        return List.of(
                ROLES + "ProducerMain",
                processProtocol.url(),
                processProtocol.user(),
                processProtocol.password(),
                journal.toString(),
                "p" + number,
                String.valueOf(producerThreads),
                String.valueOf(producerBehaviour.perSecond()),
                String.valueOf(producerBehaviour.seed()),
                producerBehaviour.faultyActions().stream()
                        .sorted()
                        .map(Enum::name)
                        .collect(Collectors.joining(",")),
                String.valueOf(producerBehaviour.oneIn()));
    }

    /** Every other one runs several messages in a transaction. */
    List<String> worker(ProcessProtocol processProtocol, Path journal, int number) {
        return List.of(
                ROLES + "WorkerMain",
                processProtocol.url(),
                processProtocol.user(),
                processProtocol.password(),
                journal.toString(),
                String.valueOf(workerThreads),
                number % 2 == 0 ? "5" : "1");
    }
}
