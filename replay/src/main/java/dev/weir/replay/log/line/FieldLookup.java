package dev.weir.replay.log.line;

import org.jspecify.annotations.Nullable;

/** Finds fields in lines that are kept. Safe for use by any number of threads. */
@FunctionalInterface
public interface FieldLookup {
  /** The value of a field, with its escapes undone; null if the line does not have it. */
  @Nullable String find(byte[] line, String name);

  /** The text of a range, with backslashes undone if the format escapes with them. */
  static String text(byte[] line, int from, int to, boolean escaped) {
    return Texts.utf8(line, from, to, escaped);
  }
}
