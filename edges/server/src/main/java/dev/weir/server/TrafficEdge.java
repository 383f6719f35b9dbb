package dev.weir.server;

import dev.weir.server.check.CheckEdge;
import dev.weir.server.decide.DecideEdge;
import dev.weir.server.decide.ReleaseEdge;
import dev.weir.server.grpc.JsonEdge;
import dev.weir.server.health.Readiness;
import dev.weir.server.listen.RequestBodies;
import dev.weir.server.metrics.HttpStats.Endpoint;
import dev.weir.server.reply.CrossSiteGuard;
import dev.weir.server.reply.Replies;
import dev.weir.server.telemetry.RequestObserver;
import dev.weir.server.telemetry.Telemetry;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The edge on the traffic port: routes requests by their path. */
final class TrafficEdge implements TrafficHandler {
  private final Decisions decisions;
  private final Readiness readiness;
  private final Buffer openApi;
  private final RequestBodies bodies;
  private final CrossSiteGuard pages;
  private final Supplier<Optional<String>> problem;
  private final Telemetry telemetry;

  /** The endpoints that decide. */
  record Decisions(CheckEdge check, DecideEdge decide, ReleaseEdge release, JsonEdge json) {}

  /**
   * @param pages decides which web pages may send bodies
   * @param problem what is wrong with this server, if anything is
   * @param telemetry gets what becomes of requests that are decided
   */
  TrafficEdge(
      Decisions decisions,
      Readiness readiness,
      Buffer openApi,
      RequestBodies bodies,
      CrossSiteGuard pages,
      Supplier<Optional<String>> problem,
      Telemetry telemetry) {
    this.decisions = decisions;
    this.readiness = readiness;
    this.openApi = openApi;
    this.bodies = bodies;
    this.pages = pages;
    this.problem = problem;
    this.telemetry = telemetry;
  }

  /** The OpenAPI description of this port. */
  static Buffer openApi() {
    try (InputStream in = TrafficEdge.class.getResourceAsStream("openapi.json")) {
      return Buffer.buffer(Objects.requireNonNull(in, "openapi.json").readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void handle(HttpServerRequest request) {
    if (CheckEdge.owns(request.uri())) {
      decisions.check.handle(request, telemetry.begin(request, "check"));
      return;
    }
    switch (request.path()) {
      case DecideEdge.PATH -> {
        RequestObserver seen = telemetry.begin(request, "decide");
        post(request, body -> decisions.decide.decide(request, body, seen));
      }
      case ReleaseEdge.PATH -> post(request, body -> decisions.release.handle(request, body));
      case JsonEdge.PATH ->
          decisions.json.handle(request, bodies, telemetry.begin(request, "json"));
      case "/healthcheck" -> readiness.serveEnvoyHealthcheck(request);
      case "/healthz" -> health(request);
      case "/readyz" -> readiness.serveStatus(request);
      case "/openapi.json" -> {
        var unused = request.response().putHeader("Content-Type", "application/json").end(openApi);
      }
      default ->
          Replies.error(
              request,
              404,
              "no such path (expected: /v1/check, /v1/decide, /v1/release, /json, /healthz, /readyz,"
                  + " /healthcheck, /openapi.json)");
    }
  }

  /** Reports the health of all event loops, not only of the one that answers. */
  private void health(HttpServerRequest request) {
    Optional<String> wrong = problem.get();
    Replies.text(request, wrong.isPresent() ? Replies.UNAVAILABLE : 200, wrong.orElse("ok"));
  }

  @Override
  public Endpoint endpoint(HttpServerRequest request) {
    if (CheckEdge.owns(request.uri())) {
      return Endpoint.CHECK;
    }
    return switch (request.path()) {
      case DecideEdge.PATH -> Endpoint.DECIDE;
      case ReleaseEdge.PATH -> Endpoint.RELEASE;
      case JsonEdge.PATH -> Endpoint.JSON;
      case "/healthcheck" -> Endpoint.HEALTHCHECK;
      case "/healthz" -> Endpoint.HEALTHZ;
      case "/readyz" -> Endpoint.READYZ;
      case "/openapi.json" -> Endpoint.OPENAPI;
      default -> Endpoint.OTHER;
    };
  }

  private void post(HttpServerRequest request, Consumer<Buffer> then) {
    if (request.method().name().equals("POST")) {
      if (pages.admitsJson(request)) {
        bodies.read(request, then);
      }
    } else {
      request.response().putHeader("Allow", "POST");
      Replies.error(request, 405, request.method() + " (expected: POST)");
    }
  }
}
