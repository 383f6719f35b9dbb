package dev.weir.gateway.upstream;

import dev.weir.rules.gateway.HealthCheck;
import dev.weir.rules.gateway.UpstreamSettings;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Probes the servers of an upstream, and sets whether they are healthy. Thread-safe. */
final class HealthProbes implements AutoCloseable {
  private static final Logger LOG = System.getLogger(HealthProbes.class.getName());
  private static final int OK = 200;
  private static final int BAD_REQUEST = 400;

  private final Vertx vertx;
  private final @Nullable HttpClient client;
  private final long timer;

  HealthProbes(Vertx vertx, UpstreamSettings settings, List<UpstreamServer> servers) {
    this.vertx = vertx;
    HealthCheck check = settings.health().orElse(null);
    if (check == null) {
      client = null;
      timer = -1;
      return;
    }
    HttpClient created =
        vertx.createHttpClient(
            UpstreamClients.options(settings), new PoolOptions().setHttp1MaxSize(1));
    client = created;
    List<Probe> probes =
        servers.stream().map(server -> new Probe(server, created, settings, check)).toList();
    probes.forEach(Probe::run);
    timer = vertx.setPeriodic(check.every().toMillis(), now -> probes.forEach(Probe::run));
  }

  /** The probe of one server. Its runs do not overlap, since a run times out before the next. */
  private static final class Probe {
    private final UpstreamServer server;
    private final HttpClient client;
    private final UpstreamSettings settings;
    private final HealthCheck check;
    private int row;

    Probe(UpstreamServer server, HttpClient client, UpstreamSettings settings, HealthCheck check) {
      this.server = server;
      this.client = client;
      this.settings = settings;
      this.check = check;
    }

    void run() {
      RequestOptions options =
          UpstreamClients.request(settings, server, HttpMethod.GET, check.path())
              .setIdleTimeout(check.timeout().toMillis());
      Future<Integer> status =
          client
              .request(options)
              .compose(this::send)
              .timeout(check.timeout().toMillis(), TimeUnit.MILLISECONDS);
      status.onComplete(
          done -> onResult(done.succeeded() && done.result() >= OK && done.result() < BAD_REQUEST));
    }

    /** Sends a request, which gives its connection free in time. */
    private Future<Integer> send(HttpClientRequest request) {
      return request
          .send()
          .compose(response -> drained(response))
          .timeout(check.timeout().toMillis(), TimeUnit.MILLISECONDS)
          .onFailure(late -> request.reset());
    }

    private static Future<Integer> drained(HttpClientResponse response) {
      response.handler(ignored -> {});
      return response.end().map(end -> response.statusCode());
    }

    private synchronized void onResult(boolean success) {
      if (success == server.isHealthy()) {
        row = 0;
        return;
      }
      row++;
      if (row >= (success ? check.healthyAfter() : check.unhealthyAfter())) {
        row = 0;
        server.setHealthy(success);
        LOG.log(
            Level.WARNING,
            "Server {0} of upstream {1} is {2}",
            server,
            settings.name(),
            success ? "healthy again" : "unhealthy, and gets no requests");
      }
    }
  }

  @Override
  public void close() {
    if (client != null) {
      vertx.cancelTimer(timer);
      var unused = client.close();
    }
  }
}
