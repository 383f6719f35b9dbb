package dev.weir.rule;

import dev.weir.internal.Rejections;
import java.util.ArrayList;
import java.util.List;

/**
 * How a rule identifies a caller: by the first of several alternatives that the request has.
 *
 * @param name the name that operators use
 * @param alternatives the names of values that identify the caller together, most trusted first
 */
public record Identity(String name, List<List<String>> alternatives) {

  /** The maximum number of alternatives of one identity. */
  public static final int MAX_ALTERNATIVES = 64;

  /** Copies the alternatives, and rejects none or more than {@link #MAX_ALTERNATIVES}. */
  public Identity {
    alternatives = alternatives.stream().map(List::copyOf).toList();
    if (alternatives.isEmpty() || alternatives.size() > MAX_ALTERNATIVES) {
      String expected = "between 1 and " + MAX_ALTERNATIVES + " ways to know the caller";
      throw Rejections.of(name, alternatives.size(), expected);
    }
  }

  /** Identifies callers by one value. */
  public static Identity of(String value) {
    return new Identity(value, List.of(List.of(value)));
  }

  /** Identifies callers by the first of these identities that the request has. */
  public static Identity first(String name, List<Identity> identities) {
    return new Identity(
        name, identities.stream().flatMap(one -> one.alternatives.stream()).toList());
  }

  /** Identifies callers by all of these identities together, in every combination. */
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
