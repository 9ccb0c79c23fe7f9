package io.acidq.engine;

import io.acidq.doctor.Doctor;

/** Depends on a package that its own may not see. */
class GuiltyEngine {
    Doctor upward;
}
