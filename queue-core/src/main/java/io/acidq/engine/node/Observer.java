package io.acidq.engine.node;

import io.acidq.config.EngineConfig;
import io.acidq.engine.duty.DatabaseWatch;
import io.acidq.engine.duty.Duty;
import io.acidq.store.NodeStore;
import io.acidq.store.NodeStore.Beats;
import io.acidq.telemetry.Telemetry;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Watches the other nodes: one whose beats did not rise in so many looks in a row is declared dead. A look that came late, for
 * whatever reason, begins the counts anew, so that an outage, a pause or a step of a clock buries nobody. Nobody is judged while this node
 * can not beat itself, nor until the others have had time to beat again.
 */
public final class Observer implements Duty {

    private final NodeStore nodes;
    private final Heart heart;
    private final EngineConfig config;
    private final DatabaseWatch watch;
    private final LongSupplier nanoTime;
    private final Runnable onBurial;
    private final Telemetry telemetry;
    private final Map<Integer, Silence> silences = new HashMap<>();
    private long lastLook;
    private boolean looked;

    public Observer(NodeStore nodes, EngineConfig config, NodeParts node, Runnable onBurial) {
        this.nodes = nodes;
        this.heart = node.heart();
        this.config = config;
        this.watch = node.watch();
        this.nanoTime = node.nanoTime();
        this.onBurial = onBurial;
        this.telemetry = node.telemetry();
    }

    @Override
    public String name() {
        return "observer";
    }

    @Override
    public Duration runOnce() {
        long asked = nanoTime.getAsLong();
        Map<Integer, Long> living = new HashMap<>();
        nodes.nodes().forEach(b -> living.put(b.node(), b.beats()));
        long answered = nanoTime.getAsLong();
        if (!looked
                || !watch.isSettled()
                || answered - lastLook > 2 * config.beat().toNanos()) {
            silences.clear();
        }
        looked = true;
        lastLook = asked;
        silences.keySet().retainAll(living.keySet());
        living.forEach(this::look);
        return config.beat();
    }

    private void look(int node, long beats) {
        Silence before = silences.get(node);
        int looks = before != null && before.beats == beats ? before.looks + 1 : 1;
        silences.put(node, new Silence(beats, looks));
        if (looks >= config.silentBeats() && node != heart.node() && nodes.buryIfSilent(new Beats(node, beats))) {
            telemetry.buriedOther(node);
            onBurial.run();
        }
    }

    /** How many looks in a row saw the same beats. */
    private record Silence(long beats, int looks) {}
}
