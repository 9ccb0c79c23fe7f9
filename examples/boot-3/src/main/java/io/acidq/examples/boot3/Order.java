package io.acidq.examples.boot3;

import jakarta.validation.constraints.NotBlank;

/** A placed order, and the payload of its message. */
record Order(long id, @NotBlank String article) {}
