package dev.weir.examples.ridehailing;

/** A ride that a driver was found for. */
public record Ride(String id, Driver driver, Trip trip, Fare fare) {}
