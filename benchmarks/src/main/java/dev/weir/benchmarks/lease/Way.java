package dev.weir.benchmarks.lease;

import dev.weir.Mode;
import dev.weir.rule.Rule.WhenStoreFails;

/** How decisions are made, and what the tables call it. */
enum Way {
  EMBEDDED("in-process store", false, WhenStoreFails.ALLOW),
  STRICT("strict", false, WhenStoreFails.ALLOW),
  LEASED("leased", true, WhenStoreFails.ALLOW),
  /** What is granted is counted in this process, too, for the day the store fails. */
  LEASED_LOCAL("leased, `when-store-fails: local`", true, WhenStoreFails.LOCAL);

  final String title;
  final WhenStoreFails whenStoreFails;
  private final boolean leased;

  Way(String title, boolean leased, WhenStoreFails whenStoreFails) {
    this.title = title;
    this.leased = leased;
    this.whenStoreFails = whenStoreFails;
  }

  Mode mode() {
    return leased ? Mode.leased() : Mode.STRICT;
  }
}
