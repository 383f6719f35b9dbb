package dev.weir.replay.log.line;

import java.util.ArrayList;
import java.util.List;

/** The headers that a log has, in lower case; bounded. For one thread. */
public final class HeaderNames {
  static final int MAX = 64;

  private final List<String> names = new ArrayList<>();
  private String[] snapshot = {};

  /** The index of a header, which is added if it is new; -1 if there are too many. */
  int indexOf(String lowerCase) {
    int known = names.indexOf(lowerCase);
    if (known >= 0 || names.size() == MAX) {
      return known;
    }
    names.add(lowerCase);
    snapshot = names.toArray(String[]::new);
    return names.size() - 1;
  }

  /** The names so far; nobody changes the array. */
  String[] snapshot() {
    return snapshot;
  }
}
