package io.acidq.engine.maintenance;

import io.acidq.engine.admin.QueueAdmin;

/** Depends on a package that its own may not see. */
class GuiltyMaintenance {
    QueueAdmin upward;
}
