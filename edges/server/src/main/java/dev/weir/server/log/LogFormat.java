package dev.weir.server.log;

/** How the lines of a log are written. */
public enum LogFormat {
  /** The time, and then fields as {@code name=value}. */
  TEXT,
  /** One JSON object on a line. */
  JSON
}
