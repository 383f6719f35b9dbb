package dev.weir.benchmarks.lease;

import dev.weir.Mode;
import dev.weir.rule.FailureMode;

/** How decisions are made, with the name in the tables. */
enum Variant {
  EMBEDDED("in-process store", false, FailureMode.ALLOW),
  STRICT("strict", false, FailureMode.ALLOW),
  LEASED("leased", true, FailureMode.ALLOW),
  /** Grants are also counted in this process, for the time when the store fails. */
  LEASED_LOCAL("leased, `when-store-fails: local`", true, FailureMode.LOCAL);

  final String title;
  final FailureMode whenStoreFails;
  private final boolean leased;

  Variant(String title, boolean leased, FailureMode whenStoreFails) {
    this.title = title;
    this.leased = leased;
    this.whenStoreFails = whenStoreFails;
  }

  Mode mode() {
    return leased ? Mode.leased() : Mode.STRICT;
  }
}
