package io.acidq.dashboard.guilty.jdk;

import io.acidq.dashboard.access.Permission;

/** An adapter that knows permissions. */
final class AdapterThatDecides {

    Permission permission = Permission.VIEW;
}
