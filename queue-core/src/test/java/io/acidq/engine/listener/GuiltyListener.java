package io.acidq.engine.listener;

import io.acidq.engine.maintenance.Cleaner;

/** Depends on a package that its own may not see. */
class GuiltyListener {
    Cleaner upward;
}
