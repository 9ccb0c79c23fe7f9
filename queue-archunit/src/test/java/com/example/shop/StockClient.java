package com.example.shop;

/** Asks another machine. */
interface StockClient {
    int count(String article);
}
