package dev.weir.examples.ridehailing;

import java.util.Objects;

/** A driver, and where the driver is. */
public record Driver(String id, Location at) {
  /** A driver has a name and a location. */
  public Driver {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(at, "at");
  }
}
