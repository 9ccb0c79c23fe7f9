package io.grpc.stub;

/** By its name the real one, which no test needs. */
public abstract class AbstractStub {}
