package dev.weir.replay.log.line;

/** How a value is written. */
public enum Form {
  /** As it is, with the escapes of the format. */
  TEXT,
  /** {@code 10/Oct/2000:13:55:36 -0700}. */
  CLF_TIME,
  /** RFC 3339 or ISO 8601, with any fraction. */
  ISO_TIME,
  /** Seconds since 1970 with a fraction, or a whole number in any usual unit. */
  EPOCH_TIME,
  /** One of the three above. */
  ANY_TIME,
  /** {@code 13:55:36}, on a day that another field names. */
  CLOCK_TIME,
  /** By a pattern of its own. */
  PATTERN_TIME,
  /** Seconds with a fraction. */
  SECONDS,
  /** Seconds with exactly six digits behind the point. */
  EXACT_SECONDS,
  /** Milliseconds. */
  MILLIS,
  /** Microseconds. */
  MICROS,
  /** Nanoseconds. */
  NANOS,
  /** Seconds if there is a point, or else milliseconds; or with a unit: {@code 1.5s}. */
  ANY_DURATION,
  /** An address with a port, which is not part of it. */
  ADDRESS_PORT,
  /** An address, with a port or without. */
  ADDRESS,
  /** A request or target as a balancer writes it: always a whole URL. */
  WHOLE_URL,
  /** Percent-encoded by the log. */
  PERCENT,
  /** With a plus for each space. */
  PLUS,
  /** Several values with commas and spaces between them, one for each upstream. */
  LIST;

  /** The fewest characters that such a value has; it may have a space among these. */
  int minLength() {
    return this == CLF_TIME ? 26 : 0;
  }
}
