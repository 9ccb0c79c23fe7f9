package io.acidq.chaos.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.chaos.audit.Start.Counts;
import io.acidq.chaos.audit.Story.Effect;
import io.acidq.chaos.role.Deed;
import org.junit.jupiter.api.Test;

/** A message that was under way at a failover: claims that were lost were made again under their numbers. */
class RunsTest {

    private static final long PROMOTED = 100;

    private final Story story = new Story("k", null, 1, Deed.PLAIN);

    /** Claimed once, and in the lost tail once more. */
    RunsTest() {
        start(1, 1, new Counts(1, 1, 0), 10).endedAt = 11;
        start(1, 1, new Counts(2, 2, 0), 20);
        story.effects.add(new Effect(1, 2, 2, null, 1));
    }

    @Test
    void believesThatALostClaimWasMadeAgain() {
        start(2, 2, new Counts(2, 2, 0), 120).endedAt = 121;
        assertThat(verdict(story).broken(Invariant.ONE_NODE_PER_CLAIM)).isNotEmpty();
        Verdict since = verdict(story.since(PROMOTED, 1));
        assertThat(since.holds()).as("%s", since).isTrue();
        assertThat(since.checked(Invariant.ONE_LIVE_CLAIM)).isEqualTo(1);
    }

    @Test
    void namesTwoNodesOfOneClaimSinceTheFailover() {
        start(2, 2, new Counts(2, 2, 0), 120);
        start(3, 3, new Counts(2, 2, 0), 130);
        assertThat(verdict(story.since(PROMOTED, 1)).broken(Invariant.ONE_NODE_PER_CLAIM)).isNotEmpty();
    }

    @Test
    void namesARobberyAndALateClaimSinceTheFailover() {
        start(2, 2, new Counts(2, 2, 0), 120);
        start(3, 3, new Counts(3, 3, 0), 130);
        Verdict since = verdict(story.since(PROMOTED, 1));
        assertThat(since.broken(Invariant.ONE_LIVE_CLAIM)).isNotEmpty();
        assertThat(since.broken(Invariant.ENDED_BY_THE_LAST_CLAIM)).isNotEmpty();
    }

    @Test
    void namesAnAttemptMoreThanWereCountedAndStarted() {
        start(2, 2, new Counts(2, 3, 0), 120);
        assertThat(verdict(story.since(PROMOTED, 1)).broken(Invariant.ATTEMPTS_ARE_STARTS)).isNotEmpty();
        assertThat(verdict(story.since(PROMOTED, 2)).broken(Invariant.ATTEMPTS_ARE_STARTS)).isEmpty();
    }

    private Start start(int process, int node, Counts counts, long at) {
        Start start = new Start(process, node, counts, at);
        story.starts.add(start);
        return start;
    }

    private static Verdict verdict(Story judged) {
        Verdict verdict = new Verdict();
        new Runs(verdict, new Nodes()).judge(judged);
        return verdict;
    }
}
