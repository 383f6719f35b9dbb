package dev.weir.memory;

import dev.weir.Limit;
import dev.weir.algorithm.Step;

/**
 * What a row keeps beside its words: the limit it was written under, or that limit and a log.
 *
 * <p>Most limits have no log, and then the limit itself is kept, so that no row has to pay for the
 * few that do.
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares these, and a log is never modified
record Kept(Limit limit, long[] log) {

  static Object of(Limit limit, long[] log) {
    return log.length == 0 ? limit : new Kept(limit, log);
  }

  static Limit limit(Object kept) {
    return kept instanceof Limit limit ? limit : ((Kept) kept).limit;
  }

  static long[] log(Object kept) {
    return kept instanceof Kept both ? both.log : Step.NO_LOG;
  }
}
