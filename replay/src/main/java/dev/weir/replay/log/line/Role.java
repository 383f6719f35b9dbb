package dev.weir.replay.log.line;

/** What a field says about a request. A line has each at most once, headers excepted. */
public enum Role {
  /** When the request arrived. */
  ARRIVAL(0),
  /** When the request was complete. */
  COMPLETION(1),
  /** The day of a time that the log splits. */
  DATE(2),
  /** The fraction of a second of a time that the log splits. */
  FRACTION(3),
  /** The time zone of a time that the log splits. */
  ZONE(4),
  /** How long the request took, or a part of that. */
  DURATION(5),
  /** The second part of how long it took. */
  DURATION_2(6),
  /** The third part of how long it took. */
  DURATION_3(7),
  /** The address of the client. */
  CLIENT(8),
  /** The authenticated user. */
  USER(9),
  /** Method, target and protocol. */
  REQUEST(10),
  /** The method. */
  METHOD(11),
  /** The target, with or without its query. */
  TARGET(12),
  /** The query alone. */
  QUERY(13),
  /** The host that the client asked for. */
  HOST(14),
  /** The status of the response. */
  STATUS(15),
  /** A header of the request; a line may have many. */
  HEADER(16),
  /** Something else, which has a name only. */
  NONE(-1);

  private final int slot;

  Role(int slot) {
    this.slot = slot;
  }

  /** Where a draft keeps its range; headers follow the first one. */
  int slot() {
    return slot;
  }
}
