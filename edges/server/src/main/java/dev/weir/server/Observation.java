package dev.weir.server;

import dev.weir.limiter.Limiter;
import dev.weir.limiter.ListenerPair;
import dev.weir.rules.ActiveRules;
import dev.weir.server.admin.AdminEdge;
import dev.weir.server.callers.CallerStats;
import dev.weir.server.callers.CallersEdge;
import dev.weir.server.callers.FleetCallers;
import dev.weir.server.callers.RevealEdge;
import dev.weir.server.health.Readiness;
import dev.weir.server.live.Event;
import dev.weir.server.live.LiveEdge;
import dev.weir.server.live.PageEdge;
import dev.weir.server.live.RequestCounts;
import dev.weir.server.live.Sampler;
import dev.weir.server.metrics.RlsStats;
import dev.weir.server.reply.AuditedActions;
import dev.weir.server.rls.RlsListener;
import dev.weir.server.settings.ServerSettings;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** What operators observe of a server: who is denied, and how decisions went. */
final class Observation {
  private final ServerRuntime runtime;
  private final RlsStats rls;
  private final CallerStats callers;
  private final RequestCounts requests = new RequestCounts();
  private final FleetCallers fleet;
  final Sampler sampler;
  private Runnable endStreams = () -> {};

  /** Counts nothing before the server decides. */
  Observation(
      ServerSettings settings,
      ActiveRules rules,
      ServerRuntime runtime,
      ServerStore store,
      RlsStats rls) {
    this.runtime = runtime;
    this.rls = rls;
    this.callers =
        new CallerStats(
            Runtime.getRuntime().availableProcessors(), settings.admin().revealCallers());
    this.fleet =
        new FleetCallers(
            UUID.randomUUID().toString(), callers, store.config.tables().table("callers"));
    this.sampler =
        new Sampler(
            new Sampler.Sources(
                requests, runtime.metrics, rls, callers, fleet, rules, store.monitor),
            runtime.clock);
    store.actions.onChange(
        line -> sampler.events().add(new Event(runtime.clock.millis(), "action", "info", line)));
  }

  /** Receives the outcomes of the limiter. */
  Limiter.Listener ofLimiter() {
    return new ListenerPair(runtime.metrics, new ListenerPair(callers, requests));
  }

  /** Receives the outcomes of Envoy's rate limit service. */
  RlsListener ofRls() {
    return new RlsListener.Pair(rls, callers);
  }

  /** The names and values that identify a caller, if they are remembered; takes milliseconds. */
  Optional<List<String>> identity(long caller) {
    return callers.identity(caller);
  }

  /** What shows it on the administration port. */
  AdminEdge.Live edges(Readiness readiness) {
    LiveEdge live = new LiveEdge(sampler, callers, fleet, readiness::details);
    endStreams = live::close;
    return new AdminEdge.Live(
        new PageEdge(),
        live,
        new CallersEdge(callers, fleet),
        new RevealEdge(callers, new AuditedActions(runtime.audit)));
  }

  /** Ends what is sent as it happens, and counts no more seconds. */
  void close() {
    sampler.close();
    endStreams.run();
  }
}
