package dev.weir.replay;

import dev.weir.replay.report.Numbers;
import dev.weir.replay.result.ReplayResult;
import dev.weir.replay.result.RunResult;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What the proposed rules may do at most, for pipelines. Each gate is judged by the spread that is
 * worst for it. Immutable.
 *
 * @param maxDenied the share of requests that may be denied, from 0 to 1
 * @param maxHurt how many callers may be hurt
 */
public record Gates(OptionalDouble maxDenied, OptionalLong maxHurt) {
  /** What falls short, one sentence each; empty if all gates are passed. */
  public List<String> failures(ReplayResult result) {
    List<RunResult> runs = result.proposed().runs();
    double denied = runs.stream().mapToDouble(RunResult::deniedShare).max().orElse(0);
    long hurt = runs.stream().mapToLong(run -> run.hurt().count()).max().orElse(0);
    List<String> failures = new ArrayList<>();
    if (maxDenied.isPresent() && denied > maxDenied.getAsDouble()) {
      failures.add(
          "--max-denied "
              + Numbers.percent(maxDenied.getAsDouble())
              + ": "
              + Numbers.percent(denied)
              + " of the requests would be denied");
    }
    if (maxHurt.isPresent() && hurt > maxHurt.getAsLong()) {
      failures.add(
          "--max-hurt "
              + Numbers.of(maxHurt.getAsLong())
              + ": "
              + Numbers.count(hurt, "caller")
              + " would be hurt");
    }
    return failures;
  }
}
