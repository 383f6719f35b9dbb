package dev.weir.server;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** HTTP calls to a server under test. */
public abstract class ServerCalls {
  /** The operations token of the servers under test, unless a test says otherwise. */
  static final String OPERATIONS = "operations-of-the-tests";

  final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(60))
          .build();

  abstract int port();

  abstract int adminPort();

  URI uri(String pathAndQuery) {
    return URI.create("http://127.0.0.1:" + port() + pathAndQuery);
  }

  /** The headers in which a gateway describes a request for a path, and others. */
  static String[] forwardedHeaders(String path, String... more) {
    List<String> headers =
        new ArrayList<>(
            List.of("X-Forwarded-Method", "GET", "X-Forwarded-Uri", path, "X-Forwarded-Host", "h"));
    headers.addAll(List.of(more));
    return headers.toArray(String[]::new);
  }

  HttpResponse<String> get(String pathAndQuery, String... headers) {
    HttpRequest.Builder request = HttpRequest.newBuilder(uri(pathAndQuery));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return send(request.build());
  }

  /** Checks a request for a path. */
  public HttpResponse<String> check(String path) {
    return get("/v1/check" + path);
  }

  /** The body of such a request for {@code /v1/decide}. */
  public static String values(String path) {
    return "{\"values\": {\"path\": \"" + path + "\"}}";
  }

  HttpResponse<String> post(String path, String body) {
    return postWith(
        path, body, "Content-Type", "application/json", "Authorization", "Bearer " + OPERATIONS);
  }

  /** A POST with only these headers. */
  public HttpResponse<String> postWith(String path, String body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri(path)).POST(BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return send(request.build());
  }

  /** A decision, as JSON. */
  public JsonObject decide(String body) {
    HttpResponse<String> response = post("/v1/decide", body);
    if (response.statusCode() != 200) {
      throw new AssertionError(response.statusCode() + " " + response.body());
    }
    return new JsonObject(response.body());
  }

  /** A request to the administration port. */
  public HttpResponse<String> admin(String method, String path, String body, String... headers) {
    List<String> all = new ArrayList<>(List.of("Content-Type", "application/json"));
    all.addAll(List.of(headers));
    return adminWith(method, path, body, all.toArray(String[]::new));
  }

  /** A request to the administration port with only these headers. */
  HttpResponse<String> adminWith(String method, String path, String body, String... headers) {
    return send(adminRequest(method, path, body, headers));
  }

  /** Only the head of the response: a stream has no end. */
  HttpResponse<?> adminHead(String method, String path, String body, String... headers) {
    HttpRequest request = adminRequest(method, path, body, headers);
    try {
      HttpResponse<InputStream> response = client.send(request, BodyHandlers.ofInputStream());
      response.body().close();
      return response;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private HttpRequest adminRequest(String method, String path, String body, String... headers) {
    URI uri = URI.create("http://127.0.0.1:" + adminPort() + path);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri).method(method, BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return request.build();
  }

  HttpResponse<String> send(HttpRequest request) {
    try {
      return client.send(request, BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
