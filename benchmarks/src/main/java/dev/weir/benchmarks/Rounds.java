package dev.weir.benchmarks;

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
 * What was measured in rounds, in each of which everybody had a turn: so all meet the same machine.
 *
 * @param <C> who takes turns
 * @param <R> what is measured in one
 */
public final class Rounds<C, R> {
  private final Map<C, List<R>> rounds = new LinkedHashMap<>();

  /** The turn of one of them. */
  public interface Turn<C, R> {
    R of(C one) throws IOException;
  }

  private Rounds() {}

  /** Runs rounds, and some before them that warm up. */
  public static <C, R> Rounds<C, R> run(Collection<C> all, int warmUps, int count, Turn<C, R> turn)
      throws IOException {
    Rounds<C, R> rounds = new Rounds<>();
    for (int round = 0; round < warmUps + count; round++) {
      for (C one : all) {
        R measured = turn.of(one);
        if (round >= warmUps) {
          rounds.rounds.computeIfAbsent(one, absent -> new ArrayList<>()).add(measured);
        }
      }
    }
    return rounds;
  }

  /** Who took part, in the order of their turns. */
  public Set<C> all() {
    return rounds.keySet();
  }

  public double median(C one, ToDoubleFunction<R> what) {
    return median(of(one).stream().map(what::applyAsDouble).toList());
  }

  /** The median of what one has over what the other has, round by round. */
  public double ratio(C one, C other, ToDoubleFunction<R> what) {
    List<R> above = of(one);
    List<R> below = of(other);
    return median(
        IntStream.range(0, above.size())
            .mapToObj(i -> what.applyAsDouble(above.get(i)) / what.applyAsDouble(below.get(i)))
            .toList());
  }

  private List<R> of(C one) {
    return requireNonNull(rounds.get(one), one.toString());
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
  }
}
