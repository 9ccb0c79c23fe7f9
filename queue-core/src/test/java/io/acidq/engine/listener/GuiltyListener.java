package io.acidq.engine.listener;

import io.acidq.engine.Engine;
import io.acidq.engine.maintenance.Cleaner;

/** Sees a package above its own. */
class GuiltyListener {
    Cleaner upward;
    Engine further;
}
