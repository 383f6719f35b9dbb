package dev.weir.replay.run;

import dev.weir.replay.log.LogEntry;
import dev.weir.replay.measure.CallerTable;
import dev.weir.replay.measure.GroupCounts;
import dev.weir.replay.measure.Route;
import dev.weir.replay.measure.TimeAxis;
import dev.weir.replay.result.RulesResult;
import dev.weir.replay.result.RunResult;
import dev.weir.replay.result.Spread;
import dev.weir.rule.Rule;
import dev.weir.rules.RuleSet;
import dev.weir.sketch.SpaceSaving;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One rule set in a replay, with a run for each spread. For one thread. */
public final class RulesReplay {
  static final int MAX_ROUTES = 1_000;
  static final int MAX_KINDS = 100;
  private static final int MAX_SERIES = 50;

  /** How many callers with denials are remembered by name; the report names a hundred. */
  private static final int MAX_NAMES = 4_096;

  private final String name;
  private final CompiledRules rules;
  private final DemandTally demand;
  private final CallerTable callers;
  private final List<Run> runs = new ArrayList<>();
  private final List<SpaceSaving> names = new ArrayList<>();
  private final GroupCounts routes;
  private final GroupCounts kinds;
  private final TimeAxis axis;
  private final double hurtShare;
  private long replayed;
  private long withDuration;

  /**
   * What a replay needs to know beside the rules.
   *
   * @param spreads a run for each
   * @param maxKeys of the store of each run
   * @param maxCallers who are distinguished
   * @param hurtShare the share of denied requests beyond which a caller is hurt
   * @param axis of all series over time
   * @param positions names lines
   */
  public record Terms(
      List<Spread> spreads,
      long maxKeys,
      long maxCallers,
      double hurtShare,
      TimeAxis axis,
      Positions positions) {
    /** Copies the list. */
    public Terms {
      spreads = List.copyOf(spreads);
    }
  }

  /** A replay of a rule set, which has a name for reports. */
  public RulesReplay(String name, RuleSet set, Terms terms) {
    this.name = name;
    this.rules = new CompiledRules(set);
    List<Rule> all = rules.book().rules();
    this.axis = terms.axis;
    this.hurtShare = terms.hurtShare;
    this.demand = new DemandTally(all, terms.maxCallers, terms.positions);
    int spreads = terms.spreads.size();
    this.callers = new CallerTable(spreads, terms.maxCallers);
    this.routes = new GroupCounts(spreads, MAX_ROUTES, MAX_SERIES, axis);
    this.kinds = new GroupCounts(spreads, MAX_KINDS, MAX_SERIES, axis);
    for (Spread spread : terms.spreads) {
      List<RuleTally> tallies = all.stream().map(rule -> new RuleTally(rule, axis)).toList();
      runs.add(new Run(spread, tallies, terms.maxKeys, terms.positions, axis.newSeries()));
      names.add(SpaceSaving.of(MAX_NAMES));
    }
  }

  /** Reads and matches a request, for all runs. */
  public Prepared prepare(LogEntry entry) {
    PreparedRequest request = rules.prepare(entry);
    replayed++;
    withDuration += entry.durationMicros().isPresent() ? 1 : 0;
    demand.add(request.match(), entry);
    callers.addRequest(request.caller(), entry.arrivalMicros());
    routes.addRequest(request.route(), () -> Route.name(entry.method(), entry.target()));
    kinds.addRequest(request.kind(), () -> rules.kindName(request));
    return new Prepared(request);
  }

  /** A request that is read and matched by this rule set. */
  public final class Prepared {
    private final PreparedRequest request;

    private Prepared(PreparedRequest request) {
      this.request = request;
    }

    /**
     * Decides about the request in one run.
     *
     * @param micros when it arrives
     * @return the rule that denies it; null if it may pass
     */
    public @Nullable String decide(int run, long micros) {
      int bucket = axis.bucket(request.entry().arrivalMicros());
      Rule denying = runs.get(run).decide(request, micros, bucket);
      if (denying == null) {
        return null;
      }
      callers.addDenied(request.caller(), run);
      if (names.get(run).add(request.caller())) {
        names.get(run).note(request.caller(), rules.callerText(request));
      }
      LogEntry entry = request.entry();
      routes.addDenied(
          run, request.route(), bucket, () -> Route.name(entry.method(), entry.target()));
      kinds.addDenied(run, request.kind(), bucket, () -> rules.kindName(request));
      return denying.name();
    }

    /** The caller in words. */
    public String caller() {
      return rules.callerText(request);
    }
  }

  /** What was found. To be called once. */
  public RulesResult result() {
    float[] usual = callers.usualRates();
    RunResults results = new RunResults(callers, usual, axis, hurtShare);
    List<RunResult> all = new ArrayList<>();
    for (int i = 0; i < runs.size(); i++) {
      all.add(results.of(runs.get(i), i, routes, kinds, names.get(i).summary()));
    }
    long crowdedOut = runs.stream().mapToLong(Run::crowdedOut).sum();
    Notes notes = new Notes(rules, demand, replayed, withDuration);
    return new RulesResult(
        name,
        rules.rules().version(),
        demand.results(),
        results.population(rules.callers().names()),
        all,
        notes.all(crowdedOut, callers.sampledOneIn()));
  }
}
