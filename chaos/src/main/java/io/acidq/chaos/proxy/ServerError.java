package io.acidq.chaos.proxy;

/**
 * An error with which a server has answered.
 *
 * @param connection the server's number of the connection; 0 when it gave none, and refused it
 * @param code       the error's number
 */
record ServerError(long connection, int code) {}
