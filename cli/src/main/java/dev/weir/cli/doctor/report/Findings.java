package dev.weir.cli.doctor.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Collects the results of a run, in order. Not safe for use by several threads. */
public final class Findings {
  private final Set<Check> skipped;
  private final List<Finding> all = new ArrayList<>();

  /** An empty collection that ignores some checks. */
  public Findings(Set<Check> skipped) {
    this.skipped = Set.copyOf(skipped);
  }

  /** Whether this check is wanted. */
  public boolean wants(Check check) {
    return !skipped.contains(check);
  }

  /** Adds a result, unless its check is not wanted. */
  public void add(Check check, String subject, Verdict verdict, String evidence) {
    if (wants(check)) {
      all.add(new Finding(check, subject, verdict, evidence));
    }
  }

  /** Replaces the latest result of this check on this subject. */
  public void replace(Check check, String subject, Verdict verdict, String evidence) {
    all.removeIf(one -> one.check() == check && one.subject().equals(subject));
    add(check, subject, verdict, evidence);
  }

  /** All results. */
  public List<Finding> all() {
    return List.copyOf(all);
  }

  /** The results by subject, in the order in which the subjects came. */
  public Map<String, List<Finding>> bySubject() {
    Map<String, List<Finding>> subjects = new LinkedHashMap<>();
    for (Finding one : all) {
      subjects.computeIfAbsent(one.subject(), absent -> new ArrayList<>()).add(one);
    }
    return subjects;
  }

  /** How many results have this verdict. */
  public long count(Verdict verdict) {
    return all.stream().filter(one -> one.verdict() == verdict).count();
  }
}
