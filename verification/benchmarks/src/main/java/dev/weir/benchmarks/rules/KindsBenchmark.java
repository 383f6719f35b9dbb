package dev.weir.benchmarks.rules;

import dev.weir.http.identity.HttpReader;
import dev.weir.rule.book.Match;
import dev.weir.rules.RuleSet;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Matches ten and a thousand rules that differ in one kind of condition; one of them matches. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class KindsBenchmark {
  @Param public RulesOfKind kind = RulesOfKind.NETWORKS;

  private Book ten = Book.NONE;
  private Book thousand = Book.NONE;
  private final SampleRequest request = SampleRequest.of(7, "none");

  private record Book(RuleSet rules, HttpReader reader) {
    static final Book NONE = of(RulesOfKind.NETWORKS.load(1));

    static Book of(RuleSet rules) {
      return new Book(rules, SampleRules.reader(rules));
    }

    Match match(SampleRequest request) {
      return rules.book().match(reader.read(request));
    }
  }

  @Setup
  public void load() {
    ten = Book.of(kind.load(10));
    thousand = Book.of(kind.load(1_000));
    if (ten.match(request).claims().size() != 1 || thousand.match(request).claims().size() != 1) {
      throw new IllegalStateException(kind + ": not just one rule matches");
    }
  }

  @Benchmark
  public Match ten() {
    return ten.match(request);
  }

  @Benchmark
  public Match thousand() {
    return thousand.match(request);
  }
}
