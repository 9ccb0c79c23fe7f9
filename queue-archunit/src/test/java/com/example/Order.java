package com.example;

public record Order(long id) {}
