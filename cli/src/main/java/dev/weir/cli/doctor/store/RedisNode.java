package dev.weir.cli.doctor.store;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a Redis server says about itself in reply to {@code INFO}. */
record RedisNode(String info) {
  /** Calendar windows begin by the clock of Redis; above that, somebody notices. */
  static final long MAX_CLOCK_DIFFERENCE_MILLIS = 1_000;

  /** The version, the role and the memory policy in a line. */
  String summary() {
    String valkey = field("valkey_version");
    return (valkey.isEmpty() ? "Redis " + field("redis_version") : "Valkey " + valkey)
        + ", "
        + field("role")
        + " with "
        + field("connected_slaves")
        + " replicas, maxmemory "
        + field("maxmemory")
        + ", policy "
        + field("maxmemory_policy");
  }

  /** What may lose counters, or stop them from being written. */
  List<String> troubles() {
    List<String> troubles = new ArrayList<>();
    if (field("role").equals("slave")) {
      troubles.add("it is a replica, which takes no writes");
    }
    boolean bounded = !field("maxmemory").matches("0?");
    if (bounded && field("maxmemory_policy").startsWith("allkeys")) {
      troubles.add(
          "when memory is full it evicts any key, so that callers get a new limit"
              + " (maxmemory-policy noeviction or volatile-ttl)");
    }
    if (field("rdb_last_bgsave_status").equals("err")) {
      troubles.add("its last snapshot failed, and it may refuse writes (MISCONF)");
    }
    return troubles;
  }

  /** How far its clock is ahead of this time; empty if it does not say. */
  OptionalLong clockDifferenceMillis(long nowMicros) {
    String micros = field("server_time_usec");
    return micros.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of((Long.parseLong(micros) - nowMicros) / 1_000);
  }

  private String field(String name) {
    Matcher value = Pattern.compile("(?m)^" + name + ":([!-~]{1,100})\\s*$").matcher(info);
    return value.find() ? value.group(1) : "";
  }
}
