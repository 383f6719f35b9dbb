package dev.weir.replay.log.line;

import org.jspecify.annotations.Nullable;

/**
 * Reconstructs when the request of a draft arrived. A log that only says when a request was
 * complete says when it arrived if it also says how long it took. For one thread.
 */
final class DraftTimes {
  private static final Role[] DURATIONS = {Role.DURATION, Role.DURATION_2, Role.DURATION_3};

  private final Times times = new Times();
  private final Durations durations = new Durations();
  private long arrival;
  private long resolution;
  private long duration;

  RecordedRequest.Moment moment() {
    return new RecordedRequest.Moment(arrival, resolution, duration);
  }

  /** Reads the times of a draft; false if it fails. */
  boolean read(Draft draft) {
    Field started = draft.field(Role.ARRIVAL);
    Field time = started != null ? started : draft.field(Role.COMPLETION);
    if (time == null) {
      return draft.fail(draft.from(), () -> "no time (expected: one in each line)");
    }
    int from = draft.start(time.slot());
    int to = draft.end(time.slot());
    if (!times.read(time, draft.bytes(), from, to)) {
      return fail(draft, time, expected(time.form()));
    }
    arrival = times.micros();
    resolution = times.resolution();
    if (time.form() == Form.CLOCK_TIME || time.form() == Form.PATTERN_TIME) {
      if (!addParts(draft, time)) {
        return false;
      }
    }
    long unit = duration(draft);
    if (unit < 0) {
      return false;
    }
    if (started == null && duration > 0) {
      arrival = Math.max(0, arrival - duration);
      resolution = Math.max(resolution, unit);
    }
    return true;
  }

  /** Adds what the log writes into fields of their own: day, fraction, zone. */
  private boolean addParts(Draft draft, Field time) {
    byte[] bytes = draft.bytes();
    Field date = draft.field(Role.DATE);
    if (date == null && time.form() == Form.CLOCK_TIME) {
      return draft.fail(draft.from(), () -> "no date (expected: one in each line)");
    }
    if (date != null) {
      long day = times.day(bytes, draft.start(date.slot()), draft.end(date.slot()));
      if (day < 0) {
        return fail(draft, date, "a date like 2026-01-31");
      }
      arrival += day * Days.SECONDS_PER_DAY * Days.MICROS_PER_SECOND;
    }
    Field fraction = draft.field(Role.FRACTION);
    if (fraction != null) {
      int from = draft.start(fraction.slot());
      int digits = fraction.form() == Form.MILLIS ? 3 : 6;
      int value = Bytes.number(bytes, from, draft.end(fraction.slot()), digits);
      if (value < 0) {
        return fail(draft, fraction, digits + " digits");
      }
      resolution = digits == 3 ? 1_000 : 1;
      arrival += value * resolution;
    }
    Field zone = draft.field(Role.ZONE);
    if (zone != null) {
      int seconds = Days.zone(bytes, draft.start(zone.slot()), draft.end(zone.slot()));
      if (seconds == Integer.MIN_VALUE) {
        return fail(draft, zone, "a time zone like +0100");
      }
      arrival -= seconds * Days.MICROS_PER_SECOND;
    }
    return true;
  }

  /** Adds up the durations; returns the coarsest unit, or a negative one if it fails. */
  private long duration(Draft draft) {
    duration = -1;
    long unit = 0;
    for (Role role : DURATIONS) {
      Field field = draft.field(role);
      if (field != null) {
        int slot = field.slot();
        if (!durations.read(field.form(), draft.bytes(), draft.start(slot), draft.end(slot))) {
          fail(draft, field, "a duration");
          return -1;
        }
        if (durations.micros() >= 0) {
          duration = Math.max(0, duration) + durations.micros();
          unit = Math.max(unit, durations.resolution());
        }
      }
    }
    return unit;
  }

  private static boolean fail(Draft draft, Field field, @Nullable String expected) {
    int from = draft.start(field.slot());
    int to = draft.end(field.slot());
    String wanted = expected == null ? "a time" : expected;
    return draft.fail(from, () -> EntryAssembler.wrong(draft, field, from, to, wanted));
  }

  private static @Nullable String expected(Form form) {
    return switch (form) {
      case CLF_TIME -> "a time like 31/Jan/2026:13:55:36 +0100";
      case ISO_TIME -> "a time like 2026-01-31T13:55:36+01:00";
      case EPOCH_TIME -> "seconds since 1970, like 1769864136.123";
      case CLOCK_TIME -> "a time like 13:55:36";
      case PATTERN_TIME -> "a time in the format given";
      default -> "a time of RFC 3339, or a number since 1970";
    };
  }
}
