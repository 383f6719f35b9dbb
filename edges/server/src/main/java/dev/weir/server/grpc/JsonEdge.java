package dev.weir.server.grpc;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import dev.weir.StoreFailure.Effect;
import dev.weir.envoy.service.ratelimit.v3.RateLimitRequest;
import dev.weir.server.access.AccessRefused;
import dev.weir.server.access.OperationsAccess;
import dev.weir.server.listen.RequestBodies;
import dev.weir.server.reply.CrossSiteGuard;
import dev.weir.server.reply.DegradedDecision;
import dev.weir.server.reply.Replies;
import dev.weir.server.rls.RlsReply;
import dev.weir.server.telemetry.RequestObserver;
import dev.weir.server.wire.JsonBody;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * {@code /json}: Envoy's rate limit service for clients without gRPC, by any method. Safe for use
 * by any number of threads.
 *
 * <p>The body is parsed as plain JSON before it is parsed as a message: the message parser is
 * lenient, and would spend hours on a number such as 1e999999999.
 */
public final class JsonEdge {
  /** The path of this edge. */
  public static final String PATH = "/json";

  private static final Set<String> NUMBERS =
      Set.of("hitsAddend", "hits_addend", "requestsPerUnit", "requests_per_unit");
  private static final Pattern NUMBER = Pattern.compile("[0-9.]{1,30}([eE][+-]?[0-9]{1,2})?");
  private static final JsonFormat.Parser PARSER = JsonFormat.parser();
  private static final JsonFormat.Printer PRINTER =
      JsonFormat.printer().omittingInsignificantWhitespace();

  private final RlsService service;
  private final OperationsAccess access;
  private final boolean plainErrors;
  private final CrossSiteGuard pages;

  /**
   * An edge in front of the rate limit service.
   *
   * @param access decides which clients may refund, by negative hits
   * @param plainErrors whether errors are those of envoyproxy/ratelimit, which says no more than
   *     that the request is bad
   */
  public JsonEdge(
      RlsService service, OperationsAccess access, boolean plainErrors, CrossSiteGuard pages) {
    this.pages = pages;
    this.service = service;
    this.access = access;
    this.plainErrors = plainErrors;
  }

  /**
   * Reads the body, and answers.
   *
   * @param seen notes what becomes of the request
   */
  public void handle(HttpServerRequest http, RequestBodies bodies, RequestObserver seen) {
    long arrivedMicros = service.nowMicros();
    // Scripts for envoyproxy/ratelimit send no content type, and it does not require one.
    if (!(plainErrors ? pages.admits(http) : pages.admitsJson(http))) {
      return;
    }
    bodies.read(http, body -> handle(http, body, arrivedMicros, seen));
  }

  private void handle(
      HttpServerRequest http, Buffer body, long arrivedMicros, RequestObserver seen) {
    if (!plainErrors) {
      answer(http, body, arrivedMicros, seen);
      return;
    }
    try {
      answer(http, body, arrivedMicros, seen);
    } catch (IllegalArgumentException e) {
      badRequest(http);
    }
  }

  private void answer(
      HttpServerRequest http, Buffer body, long arrivedMicros, RequestObserver seen) {
    seen.onRequest(http.method().name(), http.uri());
    RateLimitRequest message;
    try {
      message = message(body);
    } catch (IllegalArgumentException e) {
      service.onUnreadable();
      throw e;
    }
    try {
      service.check(access, http, message, "on a port that demands client certificates");
      Replies.when(
          http, service.decide(message, arrivedMicros, seen), reply -> reply(http, message, reply));
    } catch (AccessRefused e) {
      Replies.refused(http, e);
    } catch (RlsService.NotLoaded e) {
      if (plainErrors) {
        badRequest(http);
        return;
      }
      Replies.error(http, Replies.UNAVAILABLE, String.valueOf(e.getMessage()));
    }
  }

  private static void badRequest(HttpServerRequest http) {
    http.response().putHeader("X-Content-Type-Options", "nosniff");
    Replies.text(http, 400, "Bad Request");
  }

  private static RateLimitRequest message(Buffer body) {
    RateLimitRequest.Builder message = RateLimitRequest.newBuilder();
    try {
      if (JsonBody.decode(body) instanceof JsonObject object) {
        checkNumbers(object);
        PARSER.merge(object.encode(), message);
        return message.build();
      }
    } catch (DecodeException | InvalidProtocolBufferException e) {
      // Reported below, without repeating what was sent.
    }
    throw new IllegalArgumentException(
        "body: malformed (expected: a RateLimitRequest in JSON, with no other fields)");
  }

  private static void checkNumbers(Object json) {
    if (json instanceof JsonArray array) {
      array.forEach(JsonEdge::checkNumbers);
    } else if (json instanceof JsonObject object) {
      for (Map.Entry<String, Object> field : object) {
        Object value = field.getValue();
        boolean number = NUMBERS.contains(field.getKey()) && value != null;
        if (number && !NUMBER.matcher(value.toString()).matches()) {
          throw new IllegalArgumentException(
              field.getKey() + ": not a number (expected: at least 0)");
        }
        checkNumbers(value);
      }
    }
  }

  private void reply(HttpServerRequest http, RateLimitRequest message, RlsReply reply) {
    if (reply.isUnanswered()) {
      // Other limits of the request may have been charged.
      DegradedDecision.deny(http, Replies.UNAVAILABLE, Effect.UNKNOWN);
      return;
    }
    try {
      var unused =
          http.response()
              .setStatusCode(reply.over() ? 429 : 200)
              .putHeader("Content-Type", "application/json")
              .putHeader("Cache-Control", "no-store")
              .end(PRINTER.print(service.response(message, reply)));
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException(e);
    }
  }
}
