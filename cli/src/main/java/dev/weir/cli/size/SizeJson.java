package dev.weir.cli.size;

import dev.weir.cli.size.model.Exchange;
import dev.weir.cli.size.model.LimitSize;
import dev.weir.cli.size.model.MeasuredTables;
import dev.weir.cli.size.model.SizePlan;
import dev.weir.cli.size.model.SizeSettings;
import dev.weir.cli.terminal.Json;
import dev.weir.cli.terminal.Wording;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A plan as a JSON document. */
final class SizeJson {
  private static final double TENTHS = 10;

  private SizeJson() {}

  static Map<String, @Nullable Object> of(
      SizePlan plan, MeasuredTables tables, List<String> notes) {
    SizeSettings settings = plan.settings();
    boolean paced = settings.requestsPerSecond() > 0;
    return Json.object(
        "requestsPerSecond",
        paced ? settings.requestsPerSecond() : null,
        "limits",
        plan.redis().limits().stream().map(size -> limit(size, plan)).toList(),
        "redis",
        redis(plan, paced),
        "leasesOff",
        paced ? exchange(plan.strict()) : null,
        "leasesOn",
        paced ? exchange(plan.leased()) : null,
        "servers",
        paced ? plan.servers() : null,
        "serverCores",
        paced ? Math.ceil(SizePlan.edgeCores(settings, tables)) : null,
        "processBytes",
        Math.round(plan.heap().bytes()),
        "maxKeys",
        plan.heap().maxKeys(),
        "notes",
        notes,
        "measured",
        tables.text("source"));
  }

  private static Map<String, @Nullable Object> limit(LimitSize size, SizePlan plan) {
    double tables = size.inRedis() == 0 ? 0 : plan.redis().tablesPerKey();
    return Json.object(
        "name", size.sized().name(),
        "limit", Wording.limit(size.sized().limit()),
        "algorithm", Wording.algorithm(size.sized().limit()),
        "mode", Wording.lower(size.sized().mode().kind()),
        "callers", size.sized().callers(),
        "liveKeys", size.live(),
        "ttlSeconds", tenths(size.sized().ttlSeconds()),
        "entries", size.entries(),
        "redisBytesPerKey", bytes(size, tables),
        "redisBytes", Math.round(size.inRedis() * (size.redis().each() + tables)),
        "processBytesPerKey", tenths(size.heapLog() + plan.heap().tablePerKey()),
        "processBytes", Math.round(size.live() * (size.heapLog() + plan.heap().tablePerKey())));
  }

  private static Map<String, @Nullable Object> bytes(LimitSize size, double tables) {
    return Json.object(
        "name", size.redis().name(),
        "value", size.redis().value(),
        "entry", size.redis().entry(),
        "expiry", size.redis().expiry(),
        "cluster", size.redis().cluster(),
        "tables", tenths(tables),
        "all", tenths(size.redis().each() + tables));
  }

  private static Map<String, @Nullable Object> redis(SizePlan plan, boolean paced) {
    return Json.object(
        "version", plan.settings().redis().name(),
        "about", plan.settings().redis().about(),
        "keys", plan.redis().keys(),
        "bytes", Math.round(plan.redis().bytes()),
        "memoryOfNode", plan.settings().redisMemory(),
        "nodes", plan.redis().nodes(),
        "nodesByMemory", plan.nodesByMemory(),
        "nodesByProcessor", paced ? plan.nodesByCpu() : null,
        "requestsPerSecondOfNode", paced ? Math.round(plan.requestsPerNode()) : null);
  }

  private static Map<String, @Nullable Object> exchange(Exchange exchange) {
    return Json.object(
        "calls", Math.round(exchange.calls()),
        "counters", Math.round(exchange.counters()),
        "redisCores", Math.round(exchange.cores() * 1000) / 1000.0,
        "bytesToRedis", Math.round(exchange.bytesToRedis()),
        "bytesFromRedis", Math.round(exchange.bytesFromRedis()),
        "permitsAboveLimit", exchange.overshoot());
  }

  private static double tenths(double number) {
    return Math.round(number * TENTHS) / TENTHS;
  }
}
