package dev.weir.testkit.redis;

import java.util.Optional;
import org.junit.jupiter.api.Assumptions;

/** Both programs: a test of the fixture runs with each, and says so where one is missing. */
enum Binaries {
  PATH,
  EMBEDDED;

  RedisBinary get() {
    if (this == EMBEDDED) {
      return RedisBinary.embedded();
    }
    Optional<RedisBinary> installed = RedisBinary.onPath();
    if (installed.isEmpty()) {
      String missing = "redis-server is not installed: the fixture is NOT tested with it here";
      System.err.println("WARNING: " + missing);
      Assumptions.abort(missing);
    }
    return installed.orElseThrow();
  }
}
