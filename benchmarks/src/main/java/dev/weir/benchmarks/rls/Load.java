package dev.weir.benchmarks.rls;

import io.vertx.core.Context;
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
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Asks a server as fast as it answers, with some calls in flight on a few connections, as the
 * workers of an Envoy do; from a process of its own.
 *
 * <p>It speaks HTTP/2 with messages that are made beforehand, so that most of the machine is left
 * to the server.
 */
public final class Load {
  private static final int MOST_SAMPLES = 4_000_000;

  /** Begins a message whose first field, the overall code, is OK. */
  private static final int OK = 0x0801;

  private static final int PREFIX = 5;

  private final RequestOptions target;
  private final Buffer[] messages = new Buffer[Asked.ADDRESSES];
  private final long[] nanos = new long[MOST_SAMPLES];
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
    for (int i = 0; i < messages.length; i++) {
      byte[] message = Asked.about(i).toByteArray();
      messages[i] =
          Buffer.buffer().appendByte((byte) 0).appendInt(message.length).appendBytes(message);
    }
  }

  /** Prints requests per second, microseconds at p50 and p99, and failures. */
  public static void main(String[] args) throws Exception {
    Load load = new Load(args[0], Integer.parseInt(args[1]));
    int connections = Integer.parseInt(args[2]);
    int inFlight = Integer.parseInt(args[3]) / connections;
    long warmUpMillis = Long.parseLong(args[4]);
    long millis = Long.parseLong(args[5]);
    Vertx vertx =
        Vertx.vertx(
            new VertxOptions().setPreferNativeTransport(true).setEventLoopPoolSize(connections));
    CountDownLatch ended = new CountDownLatch(connections * inFlight);
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
            for (int j = 0; j < inFlight; j++) {
              load.ask(client, random, ended);
            }
          });
    }
    Thread.sleep(warmUpMillis);
    load.measuring = true;
    long start = System.nanoTime();
    Thread.sleep(millis);
    load.measuring = false;
    long elapsed = System.nanoTime() - start;
    load.done = true;
    ended.await();
    load.print(elapsed);
    vertx.close().await();
  }

  private void ask(HttpClient client, SplittableRandom random, CountDownLatch ended) {
    if (done) {
      ended.countDown();
      return;
    }
    long start = System.nanoTime();
    Buffer message = messages[random.nextInt(messages.length)];
    client
        .request(target)
        .compose(request -> send(request, message))
        .compose(Load::isOk)
        .onComplete(
            answer -> {
              note(System.nanoTime() - start, answer.succeeded() && answer.result());
              ask(client, random, ended);
            });
  }

  private static io.vertx.core.Future<HttpClientResponse> send(
      HttpClientRequest request, Buffer message) {
    return request.send(message);
  }

  private static io.vertx.core.Future<Boolean> isOk(HttpClientResponse response) {
    return response
        .body()
        .map(
            body ->
                "0".equals(response.getTrailer("grpc-status"))
                    && body.length() >= PREFIX + 2
                    && body.getUnsignedShort(PREFIX) == OK);
  }

  private void note(long took, boolean ok) {
    if (!measuring) {
      return;
    }
    int sample = samples.getAndIncrement();
    if (sample < MOST_SAMPLES) {
      nanos[sample] = took;
    }
    if (!ok) {
      failures.incrementAndGet();
    }
  }

  private void print(long elapsed) {
    int count = Math.min(samples.get(), MOST_SAMPLES);
    if (count == 0) {
      throw new IllegalStateException("no answer in " + elapsed / 1_000_000 + " ms");
    }
    long[] sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    System.out.printf(
        Locale.ROOT,
        "%.0f %.1f %.1f %d%n",
        count * 1e9 / elapsed,
        sorted[count / 2] / 1e3,
        sorted[(int) (count * 99L / 100)] / 1e3,
        failures.get());
  }
}
