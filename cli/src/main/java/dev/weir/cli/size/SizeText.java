package dev.weir.cli.size;

import dev.weir.cli.load.Units;
import dev.weir.cli.size.model.Exchange;
import dev.weir.cli.size.model.HeapBytes;
import dev.weir.cli.size.model.LimitSize;
import dev.weir.cli.size.model.MeasuredTables;
import dev.weir.cli.size.model.RedisSize;
import dev.weir.cli.size.model.SizePlan;
import dev.weir.cli.terminal.Style;
import dev.weir.cli.terminal.Terminal;
import dev.weir.cli.terminal.Wording;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** Prints a plan as tables. */
final class SizeText {
  /** What the documentation of Redis Cluster recommends. */
  private static final long MAX_NODES = 1_000;

  private final Terminal out;
  private final MeasuredTables tables;

  SizeText(Terminal out, MeasuredTables tables) {
    this.out = out;
    this.tables = tables;
  }

  void print(SizePlan plan, List<String> notes) {
    counters(plan);
    parts(plan);
    redis(plan);
    boolean paced = plan.settings().requestsPerSecond() > 0;
    if (paced) {
      exchange(plan);
    }
    servers(plan, paced);
    notes(plan, notes, paced);
  }

  private void counters(SizePlan plan) {
    heading("Counters at peak");
    TextTable table =
        new TextTable(
            "limit", "algorithm", "callers", "live keys", "time to live", "in Redis", "in process");
    for (LimitSize size : plan.redis().limits()) {
      double inRedis = size.inRedis() * (size.redis().each() + plan.redis().tablesPerKey());
      double heap = size.live() * (size.heapLog() + plan.heap().tablePerKey());
      table.row(
          name(size),
          Wording.algorithm(size.sized().limit()),
          Units.count(size.sized().callers()),
          Units.count(size.live()),
          seconds(size.sized().ttlSeconds()),
          ByteFlag.text(inRedis),
          ByteFlag.text(heap));
    }
    table.print(out);
    out.line();
  }

  private static String name(LimitSize size) {
    String name = size.sized().name();
    String limit = Wording.limit(size.sized().limit()).replaceFirst(",.*", "");
    return name.equals(limit) || Character.isDigit(name.charAt(0)) ? name : name + " " + limit;
  }

  private static String seconds(double seconds) {
    return seconds < 7_200
        ? String.format(Locale.ROOT, "%.0f s", Math.ceil(seconds))
        : String.format(Locale.ROOT, "%.1f h", seconds / 3_600);
  }

  private void parts(SizePlan plan) {
    heading("Bytes of a key in Redis " + plan.settings().redis().about());
    TextTable table =
        new TextTable(
            "limit",
            "name",
            "value",
            "entry",
            "expiry",
            "cluster",
            "tables",
            "in all",
            "in process");
    for (LimitSize size : plan.redis().limits()) {
      double own = size.inRedis() == 0 ? 0 : plan.redis().tablesPerKey();
      double heap = size.heapLog() + plan.heap().tablePerKey();
      table.row(
          name(size),
          "" + size.redis().name(),
          "" + size.redis().value(),
          "" + size.redis().entry(),
          "" + size.redis().expiry(),
          "" + size.redis().cluster(),
          one(own),
          one(size.redis().each() + own),
          one(heap));
    }
    table.print(out);
    out.line();
  }

  private static String one(double number) {
    return String.format(Locale.ROOT, "%.1f", number);
  }

  private void redis(SizePlan plan) {
    RedisSize redis = plan.redis();
    long memory = plan.settings().redisMemory();
    heading("Redis");
    line(
        "memory",
        ByteFlag.text(redis.bytes())
            + " for "
            + Units.count(redis.keys())
            + (redis.keys() == 1 ? " key" : " keys")
            + " at peak");
    line(
        "nodes",
        Units.count(redis.nodes())
            + " of "
            + ByteFlag.memory(memory)
            + ": "
            + Units.count(plan.nodesByMemory())
            + " by memory, of which counters take at most 75 %"
            + (plan.settings().requestsPerSecond() == 0
                ? ""
                : "; " + Units.count(plan.nodesByCpu()) + " by processor, at most 50 %"));
    out.line();
  }

  private void exchange(SizePlan plan) {
    heading("Exchange with Redis, per second");
    TextTable table = new TextTable("", "leases off", "leases on, at most");
    exchange(table, plan, "calls to the store", one -> count(one.calls()));
    exchange(table, plan, "counters in them", one -> count(one.counters()));
    exchange(table, plan, "cores of Redis", one -> String.format(Locale.ROOT, "%.2f", one.cores()));
    exchange(table, plan, "bytes to Redis", one -> ByteFlag.text(one.bytesToRedis()));
    exchange(table, plan, "bytes from Redis", one -> ByteFlag.text(one.bytesFromRedis()));
    exchange(table, plan, "permits above a limit", one -> Units.count(one.overshoot()));
    table.print(out);
    double perNode = plan.requestsPerNode();
    if (perNode > 0) {
      line("a node", "decides " + count(perNode) + " requests per second with half of a core");
    }
    out.line();
  }

  private static void exchange(
      TextTable table, SizePlan plan, String name, Function<Exchange, String> cell) {
    table.row(name, cell.apply(plan.strict()), cell.apply(plan.leased()));
  }

  private static String count(double number) {
    return Units.count(Math.round(number));
  }

  private void servers(SizePlan plan, boolean paced) {
    heading("Servers");
    if (paced) {
      double cores = SizePlan.edgeCores(plan.settings(), tables);
      line(
          "cores",
          count(Math.ceil(cores))
              + ": a core decides "
              + count(tables.edgePerCore())
              + " requests per second, and half of it is used");
      String of = plan.settings().servers() == 0 ? " of 4 cores each" : " share the limits";
      line("servers", Units.count(plan.servers()) + of);
    }
    line(
        "in process",
        ByteFlag.text(plan.heap().bytes())
            + " in one server that counts by itself"
            + maxKeys(plan.heap().maxKeys()));
    out.line();
  }

  private static String maxKeys(long needed) {
    if (needed > HeapBytes.MAX_MAX_KEYS) {
      return "; more than one can count: it has at most " + Units.count(HeapBytes.MAX_MAX_KEYS);
    }
    return needed > HeapBytes.DEFAULT_MAX_KEYS ? "; it needs --max-keys " + needed : "";
  }

  private void notes(SizePlan plan, List<String> notes, boolean paced) {
    notes.forEach(this::note);
    if (plan.redis().nodes() > MAX_NODES) {
      note("Redis recommends at most " + Units.count(MAX_NODES) + " nodes in a cluster");
    } else if (plan.redis().nodes() > 1) {
      note("several nodes are a cluster; one counter is on one of them, however busy it is");
    }
    if (paced && plan.leased().calls() >= plan.strict().calls() && plan.strict().calls() > 0) {
      note("leases save no calls here: some limit cannot be leased, or its callers are too slow");
    }
    out.line(
        Style.DIM.of(
            "processor time: "
                + tables.text("source")
                + ", "
                + tables.text("date")
                + ", "
                + tables.text("hardware")));
  }

  private void note(String text) {
    out.line(Style.YELLOW.of("note: "), text);
  }

  private void heading(String text) {
    out.line(Style.BOLD.of(text));
  }

  private void line(String name, String text) {
    out.line("  ", Style.DIM.of(name), " ".repeat(Math.max(1, 12 - name.length())), text);
  }
}
