package dev.weir.benchmarks.lease;

import java.util.List;
import java.util.stream.LongStream;

/**
 * The result of a {@link Task}, as a line of text.
 *
 * @param leased the requests granted from leased permits
 * @param requests the requests sent to the store
 * @param calls the script calls of the store, each of which may batch many requests
 */
record Result(long decisions, long admitted, long leased, long requests, long calls, long nanos) {

  /** Sums the results of several processes that ran at the same time. */
  static Result sum(List<Result> all) {
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
