package io.acidq.benchmarks;

import io.acidq.benchmarks.candidate.Candidate;
import io.acidq.benchmarks.candidate.acidq.AcidQ;
import io.acidq.benchmarks.candidate.dbscheduler.DbScheduler;
import io.acidq.benchmarks.candidate.handwritten.HandWritten;
import io.acidq.benchmarks.candidate.jobrunr.JobRunr;
import io.acidq.benchmarks.candidate.modulith.ModulithEvents;
import io.acidq.benchmarks.candidate.namastack.Namastack;
import io.acidq.benchmarks.candidate.springintegration.IntegrationChannel;
import io.acidq.benchmarks.candidate.transactionoutbox.TransactionOutboxPeer;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** All who can take part, in the order of the report. */
final class Candidates {

    private static final Set<String> USUAL = Set.of(
            "jdbc-1",
            "jdbc-50",
            "no-claim",
            "no-claim-50",
            "one-connection",
            "rows-only",
            "acidq-1",
            "acidq-50",
            "acidq-external",
            "acidq-spring");

    private Candidates() {}

    static List<Candidate> all() {
        return Stream.of(HandWritten.all(), AcidQ.all(), peers())
                .flatMap(List::stream)
                .toList();
    }

    /** What users would pick instead. */
    static List<Candidate> peers() {
        return List.of(
                DbScheduler.candidate(),
                JobRunr.candidate(),
                TransactionOutboxPeer.candidate(),
                ModulithEvents.candidate(),
                Namastack.candidate(),
                IntegrationChannel.candidate());
    }

    /** Who takes part unless others are named: with every workload it is a matter of minutes. */
    static List<Candidate> usual() {
        return all().stream()
                .filter(candidate -> USUAL.contains(candidate.name()))
                .toList();
    }
}
