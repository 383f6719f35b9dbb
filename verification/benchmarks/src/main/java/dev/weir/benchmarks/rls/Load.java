package dev.weir.benchmarks.rls;

import dev.weir.benchmarks.harness.Workers;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Calls a server as fast as it answers, with some calls in flight on a few connections, like the
 * workers of an Envoy; in a process of its own.
 *
 * <p>It sends messages over HTTP/2 that are encoded in advance, so that most of the machine is left
 * to the server.
 */
public final class Load {
  private static final int MAX_SAMPLES = 4_000_000;

  /** The first bytes of a message whose overall code is OK. */
  private static final int OK = 0x0801;

  private static final int PREFIX = 5;

  private static final Buffer[] MESSAGES = messages();

  private final RequestOptions target;
  private final long[] nanos = new long[MAX_SAMPLES];
  private final AtomicInteger samples = new AtomicInteger();
  private final AtomicInteger failures = new AtomicInteger();
  private volatile boolean measuring;
  private volatile boolean done;

  private Load(String host, int port) {
    target =
        new RequestOptions()
            .setMethod(HttpMethod.POST)
            .setHost(host)
            .setPort(port)
            .setURI("/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit")
            .putHeader("content-type", "application/grpc")
            .putHeader("te", "trailers");
  }

  /**
   * For each task {@code host port connections in-flight warm-up-millis millis}, prints requests
   * per second, microseconds at p50 and p99, and failures.
   */
  public static void main(String[] args) throws Exception {
    Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
    Workers.serve(
        task -> {
          String[] words = task.split(" ", -1);
          Load load = new Load(words[0], Integer.parseInt(words[1]));
          return load.run(
              vertx,
              Integer.parseInt(words[2]),
              Integer.parseInt(words[3]),
              Long.parseLong(words[4]),
              Long.parseLong(words[5]));
        });
    vertx.close().await();
  }

  private String run(Vertx vertx, int connections, int calls, long warmUpMillis, long millis)
      throws InterruptedException {
    int inFlight = calls / connections;
    CountDownLatch ended = new CountDownLatch(connections * inFlight);
    List<HttpClient> clients = new CopyOnWriteArrayList<>();
    for (int i = 0; i < connections; i++) {
      SplittableRandom random = new SplittableRandom(i);
      Context context = vertx.getOrCreateContext();
      context.runOnContext(
          now -> {
            HttpClient client =
                vertx.createHttpClient(
                    new HttpClientOptions()
                        .setProtocolVersion(HttpVersion.HTTP_2)
                        .setHttp2ClearTextUpgrade(false)
                        .setHttp2MultiplexingLimit(inFlight),
                    new PoolOptions().setHttp2MaxSize(1));
            clients.add(client);
            for (int j = 0; j < inFlight; j++) {
              send(client, random, ended);
            }
          });
    }
    Thread.sleep(warmUpMillis);
    measuring = true;
    long start = System.nanoTime();
    Thread.sleep(millis);
    measuring = false;
    long elapsed = System.nanoTime() - start;
    done = true;
    ended.await();
    clients.forEach(client -> client.close().await());
    return describe(elapsed);
  }

  private static Buffer[] messages() {
    Buffer[] messages = new Buffer[SampleCalls.ADDRESSES];
    for (int i = 0; i < messages.length; i++) {
      byte[] message = SampleCalls.call(i).toByteArray();
      messages[i] =
          Buffer.buffer().appendByte((byte) 0).appendInt(message.length).appendBytes(message);
    }
    return messages;
  }

  private void send(HttpClient client, SplittableRandom random, CountDownLatch ended) {
    if (done) {
      ended.countDown();
      return;
    }
    long start = System.nanoTime();
    Buffer message = MESSAGES[random.nextInt(MESSAGES.length)];
    client
        .request(target)
        .compose(request -> send(request, message))
        .compose(Load::isOk)
        .onComplete(
            answer -> {
              record(System.nanoTime() - start, answer.succeeded() && answer.result());
              send(client, random, ended);
            });
  }

  private static Future<HttpClientResponse> send(HttpClientRequest request, Buffer message) {
    return request.send(message);
  }

  private static Future<Boolean> isOk(HttpClientResponse response) {
    return response
        .body()
        .map(
            body ->
                "0".equals(response.getTrailer("grpc-status"))
                    && body.length() >= PREFIX + 2
                    && body.getUnsignedShort(PREFIX) == OK);
  }

  private void record(long took, boolean ok) {
    if (!measuring) {
      return;
    }
    int sample = samples.getAndIncrement();
    if (sample < MAX_SAMPLES) {
      nanos[sample] = took;
    }
    if (!ok) {
      failures.incrementAndGet();
    }
  }

  private String describe(long elapsed) {
    int count = Math.min(samples.get(), MAX_SAMPLES);
    if (count == 0) {
      throw new IllegalStateException("no response in " + elapsed / 1_000_000 + " ms");
    }
    long[] sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    return String.format(
        Locale.ROOT,
        "%.0f %.1f %.1f %d",
        count * 1e9 / elapsed,
        sorted[count / 2] / 1e3,
        sorted[(int) (count * 99L / 100)] / 1e3,
        failures.get());
  }
}
