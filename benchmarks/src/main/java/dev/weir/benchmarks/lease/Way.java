package dev.weir.benchmarks.lease;

import dev.weir.Mode;

/** How decisions are made, and what the tables call it. */
enum Way {
  EMBEDDED("in-process store"),
  STRICT("strict"),
  LEASED("leased");

  final String title;

  Way(String title) {
    this.title = title;
  }

  Mode mode() {
    return this == LEASED ? Mode.leased() : Mode.STRICT;
  }
}
