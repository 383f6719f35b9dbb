package dev.weir.rule.book;

import dev.weir.Descriptor;
import dev.weir.key.KeySpace;
import dev.weir.rule.CallerLimits;
import dev.weir.rule.action.CallerActions;
import org.jspecify.annotations.Nullable;

/** A request while it is matched, with intermediate results that rules share; for one thread. */
final class MatchContext {
  final Descriptor descriptor;

  /** Names this request among those in flight; 0 if it holds no concurrency permits. */
  final long holder;

  /** The callers, one for each distinct identity that rules count by; computed on first use. */
  final KeySpace.@Nullable Owner[] owners;

  final CallerLimits limits;

  /** The callers whom operators have blocked or exempted. */
  final CallerActions actions;

  MatchContext(
      Descriptor descriptor, int owners, long holder, CallerLimits limits, CallerActions actions) {
    this.descriptor = descriptor;
    this.owners = new KeySpace.Owner[owners];
    this.holder = holder;
    this.limits = limits;
    this.actions = actions;
  }
}
