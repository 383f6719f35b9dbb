package dev.weir.testkit.redis;

import java.util.Optional;
import org.junit.jupiter.api.Assumptions;

/** Both programs: for tests that run with each, and say so where one is missing. */
public enum Binaries {
  PATH,
  EMBEDDED;

  /** The program; a test that asks for one that is not installed is aborted, and loudly so. */
  public RedisBinary get() {
    if (this == EMBEDDED) {
      return RedisBinary.embedded();
    }
    Optional<RedisBinary> installed = RedisBinary.onPath();
    if (installed.isEmpty()) {
      String missing = "redis-server is not installed: NOT tested with it here";
      System.err.println("WARNING: " + missing);
      Assumptions.abort(missing);
    }
    return installed.orElseThrow();
  }
}
