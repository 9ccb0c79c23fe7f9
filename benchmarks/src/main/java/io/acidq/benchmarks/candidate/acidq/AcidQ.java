package io.acidq.benchmarks.candidate.acidq;

import io.acidq.benchmarks.candidate.Candidate;
import io.acidq.benchmarks.candidate.CandidateAdapter;
import io.acidq.benchmarks.candidate.CandidateDatabase;
import io.acidq.benchmarks.candidate.CandidateKind;
import io.acidq.benchmarks.candidate.Capability;
import io.acidq.config.HandlerMode;
import io.acidq.config.HandlerOptions;
import io.acidq.config.QueueConfig;
import io.acidq.store.ClaimStrategy;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** AcidQ in one of its configurations, its other settings as they are by default. */
public final class AcidQ implements Candidate {

    private static final HandlerOptions PLAIN = HandlerOptions.defaults();
    private static final QueueConfig DIRECT = QueueConfig.defaults().withDirectHandoff(true);

    private final String name;
    private final HandlerOptions options;
    private final QueueConfig queue;
    private final AdapterFactory adapterFactory;

    private AcidQ(String name, HandlerOptions options, QueueConfig queue, AdapterFactory adapterFactory) {
        this.name = name;
        this.options = options;
        this.queue = queue;
        this.adapterFactory = adapterFactory;
    }

    /**
     * {@code acidq-1}, {@code acidq-50}, {@code acidq-external}, {@code acidq-spring}, {@code acidq-spring-untuned} over a pool that nobody has
     * tuned, {@code acidq-boot} with Spring Boot and the starter, {@code acidq-direct} and {@code acidq-spring-direct} whose enqueues claim for
     * free workers, and {@code acidq-STRATEGY} for those that are not the default.
     */
    public static List<Candidate> all() {
        List<Candidate> all = new ArrayList<>(List.of(
                lanes("acidq-1", PLAIN, PlainHost::new),
                lanes("acidq-50", PLAIN.withTransactionSize(50), PlainHost::new),
                lanes("acidq-external", PLAIN.withMode(HandlerMode.EXTERNAL), PlainHost::new),
                lanes("acidq-spring", PLAIN, SpringHost::tuned),
                lanes("acidq-spring-untuned", PLAIN, SpringHost::untuned),
                new AcidQ("acidq-boot", PLAIN, QueueConfig.defaults(), BootAdapter::open),
                engine("acidq-direct", PLAIN, DIRECT, PlainHost::new),
                engine("acidq-spring-direct", PLAIN, DIRECT, SpringHost::tuned)));
        for (ClaimStrategy strategy : ClaimStrategy.values()) {
            if (strategy != ClaimStrategy.LANES) {
                String named = strategy.name().toLowerCase(Locale.ROOT).replace('_', '-');
                all.add(engine(
                        "acidq-" + named, PLAIN, QueueConfig.defaults().withClaimStrategy(strategy), PlainHost::new));
            }
        }
        return all;
    }

    private static Candidate lanes(String name, HandlerOptions options, Host.HostFactory host) {
        return engine(name, options, QueueConfig.defaults(), host);
    }

    private static Candidate engine(String name, HandlerOptions options, QueueConfig queue, Host.HostFactory host) {
        return new AcidQ(
                name,
                options,
                queue,
                candidateDatabase -> new AcidQAdapter(candidateDatabase, host.open(candidateDatabase), options, queue));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public CandidateKind kind() {
        return CandidateKind.ACIDQ;
    }

    @Override
    public boolean acknowledgesWithTheEffect() {
        return options.mode() == HandlerMode.TRANSACTIONAL;
    }

    @Override
    public Set<Capability> abilities() {
        EnumSet<Capability> capabilities = EnumSet.allOf(Capability.class);
        ClaimStrategy strategy = queue.claimStrategy();
        if (strategy != null && !strategy.keepsOrder()) {
            capabilities.remove(Capability.ORDERED);
        }
        return capabilities;
    }

    @Override
    public List<String> tablePrefixes() {
        return List.of("acidq_");
    }

    @Override
    public CandidateAdapter open(CandidateDatabase candidateDatabase) {
        return adapterFactory.open(candidateDatabase);
    }

    /** Sets it up. */
    private interface AdapterFactory {
        CandidateAdapter open(CandidateDatabase candidateDatabase);
    }
}
