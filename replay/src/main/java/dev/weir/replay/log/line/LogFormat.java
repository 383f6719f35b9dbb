package dev.weir.replay.log.line;

/** A format of access logs. Safe for use by any number of threads. */
public interface LogFormat {
  /** The name by which it is given, and by which errors speak of it. */
  String name();

  /** A new parser for the lines of one file. */
  LineParser parser();
}
