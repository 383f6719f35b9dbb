package dev.weir.server.admin;

import dev.weir.server.access.AccessRefused;
import dev.weir.server.access.Authenticator;
import dev.weir.server.access.Operator;
import dev.weir.server.audit.AuditLog;
import dev.weir.server.decide.DecideRequest;
import dev.weir.server.reply.Replies;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code /login}, {@code /logout} and {@code /session}: a person exchanges a token for a session,
 * so that the browser keeps no token. Safe for use by any number of threads.
 */
public final class LoginEdge {
  private static final Set<String> FIELDS = Set.of("token", "name");

  /** The role of somebody who has neither a token nor a session. */
  private static final String NO_ROLE = "none";

  private final Authenticator authenticator;
  private final AuditLog log;

  /** An edge that begins and ends sessions, which are recorded. */
  public LoginEdge(Authenticator authenticator, AuditLog log) {
    this.authenticator = authenticator;
    this.log = log;
  }

  /** Begins a session. */
  void logIn(HttpServerRequest request, Buffer body) {
    if (!(AdminQuery.json(body) instanceof JsonObject json)) {
      throw new IllegalArgumentException("body: not an object (expected: {\"token\": \"…\"})");
    }
    for (String field : json.fieldNames()) {
      if (!FIELDS.contains(field)) {
        throw DecideRequest.refused("field", field, "token, name");
      }
    }
    String name = Operator.checkedName(name(json.getValue("name")));
    String token = token(json.getValue("token"));
    try {
      Operator who = authenticator.logIn(request, token, name);
      // A session alone changes nothing: it is as good without a record.
      var unused = log.record(who, "login", new JsonObject());
      noContent(request);
    } catch (AccessRefused e) {
      Replies.refused(request, e);
    }
  }

  private static String name(@Nullable Object given) {
    if (given == null) {
      return "";
    }
    if (given instanceof String name) {
      return name;
    }
    throw DecideRequest.refused("name", given, "a text");
  }

  private String token(@Nullable Object given) {
    if (given instanceof String token) {
      return token;
    }
    if (given == null && !authenticator.isTokenRequired()) {
      return "";
    }
    // The value is not shown: it may be most of a token.
    throw new IllegalArgumentException(
        "token: " + (given == null ? "none" : "not a text") + " (expected: a text)");
  }

  /** Ends the session of the request, if there is one. */
  void logOut(HttpServerRequest request) {
    authenticator
        .logOut(request)
        .ifPresent(
            who -> {
              var unused = log.record(who, "logout", new JsonObject());
            });
    noContent(request);
  }

  /** Says who the client is, so that a page knows whether to ask for a token. */
  void session(HttpServerRequest request) {
    try {
      Optional<Operator> who = authenticator.identify(request);
      Replies.json(
          request,
          200,
          new JsonObject()
              .put("role", who.map(one -> one.role().label()).orElse(NO_ROLE))
              .put("name", who.map(Operator::name).orElse(""))
              .put("required", authenticator.isTokenRequired()));
    } catch (AccessRefused e) {
      Replies.refused(request, e);
    } catch (IllegalArgumentException e) {
      Replies.error(request, 400, String.valueOf(e.getMessage()));
    }
  }

  private static void noContent(HttpServerRequest request) {
    var unused = request.response().setStatusCode(204).end();
  }
}
