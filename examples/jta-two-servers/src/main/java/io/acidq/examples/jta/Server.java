package io.acidq.examples.jta;

import javax.sql.XADataSource;

/**
 * Where a database is.
 *
 * @param driver makes its XA connections
 */
public record Server(String url, String user, String password, Class<? extends XADataSource> driver) {}
