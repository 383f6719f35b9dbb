package dev.weir.replay.log.json;

import dev.weir.replay.log.line.Field;
import dev.weir.replay.log.line.Form;
import dev.weir.replay.log.line.HeaderNames;
import dev.weir.replay.log.line.Role;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What members usually mean that logs of NGINX, Envoy, Caddy, Traefik, the Elastic Common Schema
 * and others have. Cases, underscores and hyphens make no difference.
 *
 * <p>A time that is not called start or creation is when the request was complete, because that is
 * when nearly all programs write the line.
 */
final class UsualNames {
  private static final List<String> PREFIXES = List.of("http_", "request.headers.", "headers.");

  private UsualNames() {}

  static @Nullable Field field(String path, HeaderNames headers) {
    String name = path.toLowerCase(Locale.ROOT).replace("_", "").replace("-", "");
    Field field = time(path, name);
    field = field != null ? field : duration(path, name);
    field = field != null ? field : client(path, name);
    field = field != null ? field : request(path, name);
    return field != null ? field : header(path, name, headers);
  }

  private static @Nullable Field time(String path, String name) {
    return switch (name) {
      case "starttime", "startutc", "requestcreationtime", "arrivaltime", "requeststart" ->
          Field.of(path, Role.ARRIVAL, Form.ANY_TIME, 0);
      case "startedat", "receivedat", "startlocal" ->
          Field.of(path, Role.ARRIVAL, Form.ANY_TIME, 1);
      case "msec" -> Field.of(path, Role.COMPLETION, Form.ANY_TIME, 0);
      case "timeiso8601" -> Field.of(path, Role.COMPLETION, Form.ANY_TIME, 1);
      case "timelocal" -> Field.of(path, Role.COMPLETION, Form.ANY_TIME, 5);
      case "time", "ts", "timestamp", "datetime", "endtime" ->
          Field.of(path, Role.COMPLETION, Form.ANY_TIME, 2);
      case "@timestamp", "eventtime", "logtime" ->
          Field.of(path, Role.COMPLETION, Form.ANY_TIME, 3);
      default -> null;
    };
  }

  private static @Nullable Field duration(String path, String name) {
    if (path.equals("Duration")) {
      return Field.of(path, Role.DURATION, Form.NANOS); // of Traefik
    }
    return switch (name) {
      case "durationms", "latencyms", "elapsedms", "responsetimems", "requesttimems", "timems" ->
          Field.of(path, Role.DURATION, Form.MILLIS, 0);
      case "durationus", "latencyus", "micros", "durationmicros", "elapsedus" ->
          Field.of(path, Role.DURATION, Form.MICROS, 0);
      case "durationns", "latencyns", "durationnanos", "event.duration" ->
          Field.of(path, Role.DURATION, Form.NANOS, 0);
      case "durations", "durationsec", "durationseconds", "latencyseconds" ->
          Field.of(path, Role.DURATION, Form.SECONDS, 0);
      case "requesttime", "duration", "latency", "elapsed", "timetaken", "took" ->
          Field.of(path, Role.DURATION, Form.ANY_DURATION, 1);
      case "responsetime", "httprequest.latency" ->
          Field.of(path, Role.DURATION, Form.ANY_DURATION, 2);
      default -> null;
    };
  }

  private static @Nullable Field client(String path, String name) {
    return switch (name) {
      case "client",
          "clientip",
          "clientaddr",
          "clientaddress",
          "clienthost",
          "remoteaddr",
          "remoteip",
          "request.clientip",
          "downstreamremoteaddresswithoutport",
          "client.ip" ->
          Field.of(path, Role.CLIENT, Form.ADDRESS, 0);
      case "remoteaddress",
          "remotehost",
          "downstreamremoteaddress",
          "sourceip",
          "source.ip",
          "request.remoteip",
          "httprequest.remoteip",
          "client.address",
          "ip",
          "srcip",
          "cip" ->
          Field.of(path, Role.CLIENT, Form.ADDRESS, 1);
      case "peer", "peeraddress", "source.address", "request.remoteaddr", "realipremoteaddr" ->
          Field.of(path, Role.CLIENT, Form.ADDRESS, 2);
      case "remoteuser", "user", "username", "userid", "clientusername", "principal", "user.name" ->
          Field.of(path, Role.USER, Form.TEXT);
      default -> null;
    };
  }

  private static @Nullable Field request(String path, String name) {
    return switch (name) {
      case "request", "requestline" -> Field.of(path, Role.REQUEST, Form.TEXT);
      case "method",
          "requestmethod",
          "httpmethod",
          "verb",
          "request.method",
          "http.method",
          "http.request.method",
          "httprequest.requestmethod",
          "csmethod" ->
          Field.of(path, Role.METHOD, Form.TEXT);
      case "target",
          "requesturi",
          "requesttarget",
          "request.uri",
          "xenvoyoriginalpath",
          "originalpath",
          "http.target",
          "url.original" ->
          Field.of(path, Role.TARGET, Form.TEXT, 0);
      case "url", "requesturl", "request.url", "http.url", "url.full", "httprequest.requesturl" ->
          Field.of(path, Role.TARGET, Form.WHOLE_URL, 0);
      case "uri", "path", "requestpath", "request.path", "url.path", "csuristem" ->
          Field.of(path, Role.TARGET, Form.TEXT, 1);
      case "args", "query", "querystring", "url.query" -> Field.of(path, Role.QUERY, Form.TEXT);
      case "httphost",
          "authority",
          ":authority",
          "requestauthority",
          "requesthost",
          "request.host",
          "request.headers.host" ->
          Field.of(path, Role.HOST, Form.TEXT, 0);
      case "host", "vhost", "domain", "url.domain" -> Field.of(path, Role.HOST, Form.TEXT, 1);
      case "servername" -> Field.of(path, Role.HOST, Form.TEXT, 2);
      case "status",
          "statuscode",
          "responsecode",
          "responsestatus",
          "downstreamstatus",
          "http.status",
          "http.statuscode",
          "http.response.statuscode",
          "response.status",
          "httprequest.status",
          "scstatus" ->
          Field.of(path, Role.STATUS, Form.TEXT);
      default -> null;
    };
  }

  private static @Nullable Field header(String path, String name, HeaderNames headers) {
    String header =
        switch (name) {
          case "useragent", "useragent.original", "httprequest.useragent" -> "user-agent";
          case "referer", "referrer", "http.request.referrer", "httprequest.referer" -> "referer";
          case "xforwardedfor" -> "x-forwarded-for";
          default -> headerOf(path.toLowerCase(Locale.ROOT));
        };
    return header.isEmpty() ? null : Field.header(path, header, Form.TEXT, headers);
  }

  private static String headerOf(String path) {
    for (String prefix : PREFIXES) {
      if (path.startsWith(prefix)) {
        return path.substring(prefix.length()).replace('_', '-');
      }
    }
    return "";
  }
}
