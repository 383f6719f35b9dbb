package dev.weir.testkit.redis;

import dev.weir.testkit.Programs;

/** Both Redis programs, for tests that run with each or need the installed one. */
public enum Binaries {
  /** The installed program. */
  PATH,
  /** The program of the Maven artifact. */
  EMBEDDED;

  /** The program; aborts a test that needs the installed one where there is none. */
  public RedisBinary get() {
    return this == EMBEDDED
        ? RedisBinary.embedded()
        : new RedisBinary(Programs.require(RedisBinary.NAME));
  }
}
