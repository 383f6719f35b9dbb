package dev.weir.cli.command;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * A client of a running server. Timeouts and a maximum response size protect it from a server that
 * hangs or floods. Thread-safe.
 */
public final class ServerClient {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);
  private static final Duration RESPONSE_TIMEOUT = Duration.ofSeconds(5);
  private static final int MAX_BYTES = 8 << 20;
  private static final Pattern ADDRESS =
      Pattern.compile("(?:(https?)://)?(\\[[0-9A-Fa-f:.]+]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?/?");

  private final URI base;
  private @Nullable HttpClient http;

  private ServerClient(URI base) {
    this.base = base;
  }

  /** A response whose body is still coming. The receiver closes the body. */
  public record Stream(int status, InputStream body) {}

  /** A complete response. */
  public record Reply(int status, java.net.http.HttpHeaders headers, String body) {
    /** The first value of a header; null if it is absent. */
    public @Nullable String header(String name) {
      return headers.firstValue(name).orElse(null);
    }
  }

  /**
   * Creates a client of the server at a URL; does not connect yet.
   *
   * @param argument the argument that error messages name
   * @param url {@code http://host:port} or {@code host:port}
   * @throws IllegalArgumentException if the URL has another form
   */
  public static ServerClient at(String argument, String url) {
    Matcher parts = ADDRESS.matcher(url);
    if (parts.matches() && (parts.group(1) != null || parts.group(3) != null)) {
      String scheme = parts.group(1) == null ? "http" : parts.group(1);
      String port = parts.group(3) == null ? "" : parts.group(3);
      if (port.isEmpty() || isPort(Integer.parseInt(port.substring(1)))) {
        try {
          URI base = URI.create(scheme + "://" + parts.group(2) + port);
          if (base.getHost() != null) {
            return new ServerClient(base);
          }
        } catch (IllegalArgumentException e) {
          // Reported below.
        }
      }
    }
    throw Flag.invalid(argument, url, "an address such as http://127.0.0.1:8080");
  }

  private static boolean isPort(int port) {
    return port >= 1 && port <= 65_535;
  }

  /** Host and port of the server. */
  public String authority() {
    return base.getAuthority();
  }

  /** Starts a request for a path on the server. */
  public HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(base.resolve(path));
  }

  /** Starts a POST request with a JSON body. */
  public HttpRequest.Builder post(String path, String body) {
    return request(path)
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString(body));
  }

  /**
   * Sends a request and reads the response.
   *
   * @throws Failure if no response arrives in time, or if it is too large
   */
  public Reply send(HttpRequest.Builder request) throws Failure {
    return await(started(request).thenApplyAsync(ServerClient::read));
  }

  /**
   * Sends a request, and returns as soon as the response begins.
   *
   * @throws Failure if no response begins in time
   */
  public Stream open(HttpRequest.Builder request) throws Failure {
    return await(started(request).thenApply(begun -> new Stream(begun.statusCode(), begun.body())));
  }

  private CompletableFuture<HttpResponse<InputStream>> started(HttpRequest.Builder request) {
    return http().sendAsync(request.build(), BodyHandlers.ofInputStream());
  }

  /** One for all requests: each has a thread, which only a garbage collection ends. */
  private synchronized HttpClient http() {
    if (http == null) {
      http =
          HttpClient.newBuilder()
              .version(HttpClient.Version.HTTP_1_1)
              .proxy(HttpClient.Builder.NO_PROXY)
              .connectTimeout(CONNECT_TIMEOUT)
              .build();
    }
    return http;
  }

  private <T> T await(CompletableFuture<T> response) throws Failure {
    try {
      return response.get(RESPONSE_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      response.cancel(true);
      throw failure("no answer within " + RESPONSE_TIMEOUT.toSeconds() + " s");
    } catch (ExecutionException e) {
      throw failure(reason(e.getCause() == null ? e : e.getCause()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failure("interrupted");
    }
  }

  /** The failure of a call to this server, named by its URL. */
  public Failure failure(String why) {
    return new Failure(ExitCode.USAGE, base + ": " + why);
  }

  private static Reply read(HttpResponse<InputStream> response) {
    try (InputStream in = response.body()) {
      byte[] bytes = in.readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        throw new IOException("an answer of more than " + MAX_BYTES + " bytes");
      }
      String body = new String(bytes, StandardCharsets.UTF_8);
      return new Reply(response.statusCode(), response.headers(), body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String reason(Throwable t) {
    Throwable cause = t.getCause();
    if (cause != null && (t instanceof CompletionException || t instanceof UncheckedIOException)) {
      return reason(cause);
    }
    if (t instanceof HttpConnectTimeoutException) {
      return "no connection within " + CONNECT_TIMEOUT.toSeconds() + " s";
    }
    if (t instanceof ConnectException) {
      boolean unresolved = cause instanceof UnresolvedAddressException;
      return unresolved ? "no such host" : "cannot connect (is a server running there?)";
    }
    if (t instanceof SSLException) {
      return "no TLS with that server: " + t.getMessage();
    }
    return "no usable answer: " + (t.getMessage() == null ? t.toString() : t.getMessage());
  }
}
