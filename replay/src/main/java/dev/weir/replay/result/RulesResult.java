package dev.weir.replay.result;

import java.util.Comparator;
import java.util.List;

/**
 * What one rule set would have done.
 *
 * @param name the file or directory
 * @param version of the rules, as servers report it
 * @param demand what the requests asked of each rule, whatever was decided; in the order of the
 *     rules
 * @param callers how many callers there were, and what is usual among them
 * @param runs one for each spread that was tried
 * @param notes what could not be replayed as it would have been, and what was assumed
 */
public record RulesResult(
    String name,
    String version,
    List<RuleDemand> demand,
    CallerPopulation callers,
    List<RunResult> runs,
    List<Note> notes) {
  /** Copies the lists. */
  public RulesResult {
    demand = List.copyOf(demand);
    runs = List.copyOf(runs);
    notes = List.copyOf(notes);
  }

  /** The run that denied most; gates and texts are about this one. */
  public RunResult worst() {
    return runs.stream().max(Comparator.comparingLong(RunResult::denied)).orElseThrow();
  }

  /** The run that denied least. */
  public RunResult best() {
    return runs.stream().min(Comparator.comparingLong(RunResult::denied)).orElseThrow();
  }
}
