package dev.weir.benchmarks.harness;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Measurements of several contestants in rounds. In each round every contestant has a turn, so that
 * all meet the same state of the machine.
 *
 * @param <C> the contestants
 * @param <R> the result of one turn
 */
public final class Rounds<C, R> {
  private final Map<C, List<R>> rounds = new LinkedHashMap<>();

  /** The turn of one contestant. */
  public interface Turn<C, R> {
    R run(C contestant) throws IOException;
  }

  private Rounds() {}

  /** Runs the rounds, after some that only warm up. */
  public static <C, R> Rounds<C, R> run(Collection<C> all, int warmUps, int count, Turn<C, R> turn)
      throws IOException {
    Rounds<C, R> rounds = new Rounds<>();
    for (int round = 0; round < warmUps + count; round++) {
      for (C contestant : all) {
        R measured = turn.run(contestant);
        if (round >= warmUps) {
          rounds.rounds.computeIfAbsent(contestant, absent -> new ArrayList<>()).add(measured);
        }
      }
    }
    return rounds;
  }

  /** The contestants, in the order of their turns. */
  public Set<C> all() {
    return rounds.keySet();
  }

  /** The median of a value over all rounds of a contestant. */
  public double median(C contestant, ToDoubleFunction<R> value) {
    return median(of(contestant).stream().map(value::applyAsDouble).toList());
  }

  /** The highest value of a contestant in any round. */
  public double max(C contestant, ToDoubleFunction<R> value) {
    return of(contestant).stream().mapToDouble(value).max().orElseThrow();
  }

  /** The median, over all rounds, of one contestant's value divided by the other's. */
  public double ratio(C one, C other, ToDoubleFunction<R> value) {
    List<R> above = of(one);
    List<R> below = of(other);
    return median(
        IntStream.range(0, above.size())
            .mapToObj(i -> value.applyAsDouble(above.get(i)) / value.applyAsDouble(below.get(i)))
            .toList());
  }

  /** The median, over all rounds, of one contestant's value less the other's. */
  public double difference(C one, C other, ToDoubleFunction<R> value) {
    List<R> more = of(one);
    List<R> less = of(other);
    return median(
        IntStream.range(0, more.size())
            .mapToObj(i -> value.applyAsDouble(more.get(i)) - value.applyAsDouble(less.get(i)))
            .toList());
  }

  private List<R> of(C contestant) {
    return requireNonNull(rounds.get(contestant), contestant.toString());
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
  }
}
