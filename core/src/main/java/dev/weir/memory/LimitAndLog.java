package dev.weir.memory;

import dev.weir.Limit;
import dev.weir.algorithm.Step;

/**
 * The object of a row beside its words: the limit it was written under, or that limit and a log.
 *
 * <p>Most limits have no log. Their rows refer to the limit itself, so that only rows with a log
 * pay for this object.
 */
@SuppressWarnings("ArrayRecordComponent") // not compared, and a log is never modified
record LimitAndLog(Limit limit, long[] log) {

  static Object of(Limit limit, long[] log) {
    return log.length == 0 ? limit : new LimitAndLog(limit, log);
  }

  static Limit limit(Object kept) {
    return kept instanceof Limit limit ? limit : ((LimitAndLog) kept).limit;
  }

  static long[] log(Object kept) {
    return kept instanceof LimitAndLog both ? both.log : Step.NO_LOG;
  }
}
