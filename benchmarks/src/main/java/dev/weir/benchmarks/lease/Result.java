package dev.weir.benchmarks.lease;

import java.util.List;
import java.util.stream.LongStream;

/**
 * What came of a {@link Task}, as a line of text.
 *
 * @param leased of those admitted, on permits taken in advance
 * @param requests that went to the store
 * @param calls of the store's script, each of which may hold many requests
 */
record Result(long decisions, long admitted, long leased, long requests, long calls, long nanos) {

  /** That of several processes at the same time. */
  static Result together(List<Result> all) {
    return new Result(
        all.stream().mapToLong(Result::decisions).sum(),
        all.stream().mapToLong(Result::admitted).sum(),
        all.stream().mapToLong(Result::leased).sum(),
        all.stream().mapToLong(Result::requests).sum(),
        all.stream().mapToLong(Result::calls).sum(),
        all.stream().mapToLong(Result::nanos).max().orElseThrow());
  }

  static Result parse(String line) {
    String[] words = line.split(" ", -1);
    return new Result(
        Long.parseLong(words[0]),
        Long.parseLong(words[1]),
        Long.parseLong(words[2]),
        Long.parseLong(words[3]),
        Long.parseLong(words[4]),
        Long.parseLong(words[5]));
  }

  String line() {
    return String.join(
        " ",
        LongStream.of(decisions, admitted, leased, requests, calls, nanos)
            .mapToObj(Long::toString)
            .toList());
  }

  double perSecond() {
    return decisions * 1e9 / nanos;
  }

  double requestsPerDecision() {
    return (double) requests / decisions;
  }

  double callsPerDecision() {
    return (double) calls / decisions;
  }
}
