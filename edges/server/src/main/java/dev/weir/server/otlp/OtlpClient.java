package dev.weir.server.otlp;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import dev.weir.server.settings.OtlpSettings;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceResponse;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.zip.GZIPOutputStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * Sends messages to a collector, one at a time. Used by one thread.
 *
 * <p>It is Java's own client and not the one of Vert.x, so that no event loop has to do with it.
 */
final class OtlpClient {
  private static final Set<Integer> RETRYABLE = Set.of(429, 502, 503, 504);
  private static final int MAX_DETAIL = 200;

  private final OtlpSettings settings;
  private final HttpClient client;

  /**
   * @throws IOException if the certificate authority cannot be read
   * @throws GeneralSecurityException if it is none
   */
  OtlpClient(OtlpSettings settings) throws IOException, GeneralSecurityException {
    this.settings = settings;
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(settings.timeout());
    if (settings.certificate().isPresent()) {
      builder.sslContext(trusting(settings.certificate().get()));
    }
    this.client = builder.build();
  }

  private static SSLContext trusting(Path authority) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    try (InputStream in = Files.newInputStream(authority)) {
      int number = 0;
      for (Certificate one : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        store.setCertificateEntry(Integer.toString(number++), one);
      }
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }

  /** Sends metrics. */
  Sent sendMetrics(URI to, MessageLite message, Duration limit) throws InterruptedException {
    return send(
        to,
        message,
        limit,
        body -> {
          var rejected = ExportMetricsServiceResponse.parseFrom(body).getPartialSuccess();
          return arrived(rejected.getRejectedDataPoints(), rejected.getErrorMessage());
        });
  }

  /** Sends spans. */
  Sent sendSpans(URI to, MessageLite message, Duration limit) throws InterruptedException {
    return send(
        to,
        message,
        limit,
        body -> {
          var rejected = ExportTraceServiceResponse.parseFrom(body).getPartialSuccess();
          return arrived(rejected.getRejectedSpans(), rejected.getErrorMessage());
        });
  }

  private static Sent arrived(long rejected, String message) {
    return new Sent(Sent.Result.ARRIVED, shown(message), Math.max(0, rejected), 0);
  }

  private interface ResponseReader {
    Sent read(byte[] body) throws InvalidProtocolBufferException;
  }

  private Sent send(URI to, MessageLite message, Duration limit, ResponseReader reader)
      throws InterruptedException {
    Duration timeout = limit.compareTo(settings.timeout()) < 0 ? limit : settings.timeout();
    CompletableFuture<HttpResponse<byte[]>> sending =
        client.sendAsync(request(to, message, timeout), head -> new BoundedBody());
    try {
      HttpResponse<byte[]> response = sending.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
      return outcome(response, reader);
    } catch (TimeoutException e) {
      return Sent.retry("no answer within " + timeout.toMillis() + " ms", 0);
    } catch (ExecutionException e) {
      return Sent.retry(shown(String.valueOf(e.getCause())), 0);
    } finally {
      sending.cancel(true); // ends an exchange that is not over
    }
  }

  private HttpRequest request(URI to, MessageLite message, Duration timeout) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(to)
            .timeout(timeout)
            .header("Content-Type", "application/x-protobuf")
            .header("User-Agent", "weir");
    settings.headers().forEach(request::setHeader);
    byte[] body = message.toByteArray();
    if (settings.gzip()) {
      request.header("Content-Encoding", "gzip");
      body = compressed(body);
    }
    return request.POST(BodyPublishers.ofByteArray(body)).build();
  }

  private static byte[] compressed(byte[] bytes) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (OutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes);
    } catch (IOException e) {
      throw new IllegalStateException(e); // memory takes everything
    }
    return out.toByteArray();
  }

  private static Sent outcome(HttpResponse<byte[]> response, ResponseReader reader) {
    int status = response.statusCode();
    if (status >= 200 && status < 300) {
      try {
        return reader.read(response.body());
      } catch (InvalidProtocolBufferException e) {
        return arrived(0, ""); // what is not OTLP rejects nothing
      }
    }
    if (RETRYABLE.contains(status)) {
      String wait = response.headers().firstValue("Retry-After").orElse("");
      long millis = wait.matches("[0-9]{1,5}") ? Long.parseLong(wait) * 1_000 : 0;
      return Sent.retry("status " + status, millis);
    }
    return new Sent(Sent.Result.REFUSED, "status " + status, 0, 0);
  }

  /** The beginning of a text from elsewhere, as it may be logged. */
  private static String shown(String text) {
    return text.length() <= MAX_DETAIL ? text : text.substring(0, MAX_DETAIL) + "...";
  }
}
