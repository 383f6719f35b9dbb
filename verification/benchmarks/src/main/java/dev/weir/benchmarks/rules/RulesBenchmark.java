package dev.weir.benchmarks.rules;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.http.identity.HttpReader;
import dev.weir.memory.MemoryStore;
import dev.weir.rule.book.Match;
import dev.weir.rules.RuleSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Measures the time from a request to its claims, and the time of the store for those claims. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RulesBenchmark {
  private static final int CALLERS = 1_024;

  private final SampleRequest[] requests = new SampleRequest[CALLERS];
  private final MemoryStore store = new MemoryStore();
  private final RuleSet ten = SampleRules.of(10);
  private final RuleSet thousand = SampleRules.of(1_000);
  private final HttpReader tenReader = SampleRules.reader(ten);
  private final HttpReader thousandReader = SampleRules.reader(thousand);
  private List<List<Claim>> claims = List.of();
  private int next;

  @Setup
  public void requests() {
    for (int i = 0; i < CALLERS; i++) {
      requests[i] = SampleRequest.of(i, "none");
    }
    claims = List.of(requests).stream().map(request -> tenRules(request).claims()).toList();
    if (claims.get(0).size() != SampleRules.MATCHING) {
      throw new IllegalStateException("claims: " + claims.get(0));
    }
  }

  private Match tenRules(SampleRequest request) {
    return ten.book().match(tenReader.read(request));
  }

  @Benchmark
  public Match tenRules() {
    return tenRules(requests[++next % CALLERS]);
  }

  @Benchmark
  public Match thousandRules() {
    return thousand.book().match(thousandReader.read(requests[++next % CALLERS]));
  }

  @Benchmark
  public Decision store() {
    return store.take(claims.get(++next % CALLERS));
  }
}
