package dev.weir.server;

import dev.weir.server.stats.HttpStats.Endpoint;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Everything on the port for traffic: tells by the path who answers. */
final class TrafficEdge {
  private final CheckEdge check;
  private final DecideEdge decide;
  private final ReleaseEdge release;
  private final JsonEdge json;
  private final Readiness readiness;
  private final Buffer openApi;
  private final Bodies bodies;
  private final CrossSiteGuard pages;
  private final Supplier<Optional<String>> problem;

  /**
   * @param problem what is wrong with this server, if anything is
   */
  TrafficEdge(
      CheckEdge check,
      DecideEdge decide,
      ReleaseEdge release,
      JsonEdge json,
      Readiness readiness,
      Buffer openApi,
      Bodies bodies,
      CrossSiteGuard pages,
      Supplier<Optional<String>> problem) {
    this.problem = problem;
    this.check = check;
    this.decide = decide;
    this.release = release;
    this.json = json;
    this.readiness = readiness;
    this.openApi = openApi;
    this.bodies = bodies;
    this.pages = pages;
  }

  /** What this port understands, described for programs. */
  static Buffer openApi() {
    try (InputStream in = TrafficEdge.class.getResourceAsStream("openapi.json")) {
      return Buffer.buffer(Objects.requireNonNull(in, "openapi.json").readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void handle(HttpServerRequest request) {
    if (CheckEdge.owns(request.uri())) {
      check.handle(request);
      return;
    }
    switch (request.path()) {
      case DecideEdge.PATH -> post(request, body -> decide.decide(request, body));
      case ReleaseEdge.PATH -> post(request, body -> release.handle(request, body));
      case JsonEdge.PATH -> json.handle(request, bodies);
      case "/healthcheck" -> readiness.tellInAWord(request);
      case "/healthz" -> health(request);
      case "/readyz" -> readiness.tell(request);
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

  /** Vouches for all event loops, not only for the one that answers. */
  private void health(HttpServerRequest request) {
    Optional<String> wrong = problem.get();
    Replies.text(request, wrong.isPresent() ? Replies.UNAVAILABLE : 200, wrong.orElse("ok"));
  }

  /** What a request is counted as. */
  static Endpoint endpoint(HttpServerRequest request) {
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
