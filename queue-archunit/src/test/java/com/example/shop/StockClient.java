package com.example.shop;

/** Calls another machine. */
interface StockClient {
    int count(String article);
}
