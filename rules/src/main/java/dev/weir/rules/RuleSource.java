package dev.weir.rules;

import dev.weir.rules.yaml.RulesText;
import java.util.List;

/**
 * One source of rules for a {@link RulesRegistry}: files, or a server that sends them. What it
 * offers replaces all that it offered before, and does not affect other sources. Thread-safe.
 */
public final class RuleSource {
  private final RulesRegistry registry;
  private final Object name;

  // The last valid texts, and the problems of what came after; guarded by the registry.
  List<RulesText> texts = List.of();
  boolean loaded;
  List<String> problems = List.of();
  String refusedVersion = "";

  /** What the source still waits for, without having received anything invalid. */
  List<String> missing = List.of();

  RuleSource(RulesRegistry registry, Object name) {
    this.registry = registry;
    this.name = name;
  }

  /**
   * Offers new rules, which become active or are refused; the log says which. May block until the
   * keys that the rules need are loaded.
   *
   * @return the errors; empty if the rules are active
   */
  public List<String> offer(List<RulesText> offered) {
    return registry.offer(this, offered);
  }

  /**
   * Loads the first rules.
   *
   * @throws RulesRejected if they are invalid
   */
  public void loadInitial(List<RulesText> offered) throws RulesRejected {
    registry.loadInitial(this, offered);
  }

  /** Reports what is missing, until the next offer. */
  public void reportMissing(String missing) {
    synchronized (registry) {
      this.missing = List.of(missing);
      registry.publishStatus();
    }
  }

  /** Reports that there is a new version, of which nothing can be read. */
  public void reportFailure(List<String> problems) {
    var unused = registry.refuse(this, "", problems);
  }

  /** Whether the newest version was refused, so that an older one is active. */
  public boolean isRefused() {
    synchronized (registry) {
      return !problems.isEmpty();
    }
  }

  /** The name of the source in messages and in the log. */
  @Override
  public String toString() {
    return name.toString();
  }
}
