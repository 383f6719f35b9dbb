package dev.weir.rule;

import dev.weir.Descriptor;
import dev.weir.key.KeySpace;
import org.jspecify.annotations.Nullable;

/** A request on its way through the rules, and what they have already worked out about it. */
final class Request {
  final Descriptor descriptor;
  final long permit;

  /** Whose counters: one for each of the identities that rules count by, made when first needed. */
  final KeySpace.@Nullable Owner[] owners;

  Request(Descriptor descriptor, int owners, long permit) {
    this.descriptor = descriptor;
    this.owners = new KeySpace.Owner[owners];
    this.permit = permit;
  }
}
