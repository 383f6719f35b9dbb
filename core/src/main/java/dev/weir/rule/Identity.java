package dev.weir.rule;

import java.util.ArrayList;
import java.util.List;

/**
 * Whom a rule counts: the first of several ways to know a caller that the request offers.
 *
 * @param name what operators call it
 * @param alternatives each the names of values that identify together, most trusted first
 */
public record Identity(String name, List<List<String>> alternatives) {

  /** The most ways one identity may have. */
  public static final int MAX_ALTERNATIVES = 64;

  public Identity {
    alternatives = alternatives.stream().map(List::copyOf).toList();
    if (alternatives.isEmpty() || alternatives.size() > MAX_ALTERNATIVES) {
      String expected = "between 1 and " + MAX_ALTERNATIVES + " ways to know the caller";
      throw new IllegalArgumentException(
          name + ": " + alternatives.size() + " (expected: " + expected + ")");
    }
  }

  /** Whoever has this value. */
  public static Identity of(String value) {
    return new Identity(value, List.of(List.of(value)));
  }

  /** The first of these that the request offers. */
  public static Identity first(String name, List<Identity> identities) {
    return new Identity(
        name, identities.stream().flatMap(one -> one.alternatives.stream()).toList());
  }

  /** All of these together, in every combination of their ways. */
  public static Identity all(String name, List<Identity> identities) {
    List<List<String>> combined = List.of(List.of());
    for (Identity identity : identities) {
      List<List<String>> next = new ArrayList<>();
      for (List<String> head : combined) {
        for (List<String> tail : identity.alternatives) {
          List<String> both = new ArrayList<>(head);
          both.addAll(tail);
          next.add(both);
        }
      }
      combined = new Identity(name, next).alternatives;
    }
    return new Identity(name, combined);
  }
}
