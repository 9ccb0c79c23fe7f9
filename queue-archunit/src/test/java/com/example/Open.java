package com.example;

/** Can be extended. */
public class Open {
    public long id;
}
