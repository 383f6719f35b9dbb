package dev.weir.testkit.redis;

import dev.weir.testkit.Programs;

/** Both programs: for tests that run with each, or need the installed one. */
public enum Binaries {
  PATH,
  EMBEDDED;

  /** The program; a test that asks for the installed one is aborted where there is none. */
  public RedisBinary get() {
    return this == EMBEDDED
        ? RedisBinary.embedded()
        : new RedisBinary(Programs.require(RedisBinary.NAME));
  }
}
