package io.acidq.benchmarks.candidate.acidq;

import io.acidq.benchmarks.candidate.Ability;
import io.acidq.benchmarks.candidate.Bench;
import io.acidq.benchmarks.candidate.Candidate;
import io.acidq.benchmarks.candidate.Kind;
import io.acidq.benchmarks.candidate.Site;
import io.acidq.config.Mode;
import io.acidq.config.QueueConfig;
import io.acidq.config.RunOptions;
import io.acidq.store.ClaimStrategy;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** AcidQ in one of its configurations, its other settings as they are by default. */
public final class AcidQ implements Candidate {

    private static final RunOptions PLAIN = RunOptions.defaults();
    private static final QueueConfig DIRECT = QueueConfig.defaults().withDirect(true);

    private final String name;
    private final RunOptions options;
    private final QueueConfig queue;
    private final Opening opening;

    private AcidQ(String name, RunOptions options, QueueConfig queue, Opening opening) {
        this.name = name;
        this.options = options;
        this.queue = queue;
        this.opening = opening;
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
                lanes("acidq-external", PLAIN.withMode(Mode.EXTERNAL), PlainHost::new),
                lanes("acidq-spring", PLAIN, SpringHost::tuned),
                lanes("acidq-spring-untuned", PLAIN, SpringHost::untuned),
                new AcidQ("acidq-boot", PLAIN, QueueConfig.defaults(), BootBench::open),
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

    private static Candidate lanes(String name, RunOptions options, Host.Opening host) {
        return engine(name, options, QueueConfig.defaults(), host);
    }

    private static Candidate engine(String name, RunOptions options, QueueConfig queue, Host.Opening host) {
        return new AcidQ(name, options, queue, site -> new AcidQBench(site, host.open(site), options, queue));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Kind kind() {
        return Kind.ACIDQ;
    }

    @Override
    public boolean acknowledgesWithTheEffect() {
        return options.mode() == Mode.TRANSACTIONAL;
    }

    @Override
    public Set<Ability> abilities() {
        EnumSet<Ability> abilities = EnumSet.allOf(Ability.class);
        ClaimStrategy strategy = queue.claimStrategy();
        if (strategy != null && !strategy.keepsOrder()) {
            abilities.remove(Ability.ORDERED);
        }
        return abilities;
    }

    @Override
    public List<String> tablePrefixes() {
        return List.of("acidq_");
    }

    @Override
    public Bench open(Site site) {
        return opening.open(site);
    }

    /** Sets it up. */
    private interface Opening {
        Bench open(Site site);
    }
}
