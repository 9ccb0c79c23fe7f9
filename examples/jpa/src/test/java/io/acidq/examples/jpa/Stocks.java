package io.acidq.examples.jpa;

import org.springframework.data.jpa.repository.JpaRepository;

interface Stocks extends JpaRepository<Stock, String> {}
