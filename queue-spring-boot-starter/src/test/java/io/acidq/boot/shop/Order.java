package io.acidq.boot.shop;

public record Order(Long id, Money price) {}
