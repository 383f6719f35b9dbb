package dev.weir.server;

import static dev.weir.rules.domain.TestDomains.at;
import static dev.weir.server.RlsClient.about;
import static dev.weir.server.RlsClient.codes;
import static dev.weir.server.RlsClient.costing;
import static dev.weir.server.RlsClient.limited;
import static dev.weir.server.RlsClient.refunding;
import static dev.weir.server.RlsClient.request;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.weir.Limit;
import dev.weir.envoy.service.ratelimit.v3.RateLimitRequest;
import dev.weir.envoy.service.ratelimit.v3.RateLimitResponse;
import dev.weir.key.KeySpace;
import dev.weir.limiter.Limiter;
import dev.weir.memory.MemoryStore;
import dev.weir.rule.book.RuleBook;
import dev.weir.rules.domain.DescriptorRules;
import dev.weir.rules.domain.DomainBook;
import dev.weir.rules.domain.TestDomains;
import dev.weir.rules.domain.Unit;
import dev.weir.server.grpc.RlsCodec;
import dev.weir.server.rls.RlsEngine;
import dev.weir.server.rls.RlsListener;
import dev.weir.server.rls.RlsReply;
import dev.weir.server.rls.RlsRequest;
import dev.weir.server.rls.RlsSettings;
import dev.weir.server.settings.ServerSettings;
import dev.weir.testkit.Effort;
import dev.weir.time.Ticker;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Any bytes as a message get an answer, and do not harm the server. */
class RlsFuzzTest {
  private static final int MESSAGES = Effort.of(20_000, 100_000);

  /** Fewer messages, because each costs many times more on the wire than to decide. */
  private static final int ON_THE_WIRE = Effort.of(5_000, 20_000);

  private static final int IN_FLIGHT = 200;
  private static final long SEED = 20_260_101;

  private static final RlsSettings ALL =
      new RlsSettings(false, false, RlsSettings.Headers.DEFAULT, true);

  private static final DomainBook DOMAINS =
      TestDomains.book(
          "shop",
          at("one").per(1, Unit.DAY).named("one"),
          at("vip").per(7, Unit.SECOND).replacing("one"),
          at("deep", "path").per(0xFFFF_FFFFL, Unit.HOUR).shadow(),
          at("strict").strict(Limit.tokenBucket(5, Duration.ofSeconds(1))),
          at("free").unlimited());

  private static final List<byte[]> SEEDS =
      List.of(
          request(about("one", "a")).build().toByteArray(),
          request(about("deep", "é", "path", "\u0000")).setHitsAddend(-1).build().toByteArray(),
          request(limited(5, 4, "one", "b"), about("vip", "")).build().toByteArray(),
          request(costing(-1, "one", "c"), costing(0, "strict", "a"), refunding(3, "strict", "a"))
              .build()
              .toByteArray(),
          request(about("strict", "a"), about("free", "x".repeat(300)), about())
              .build()
              .toByteArray());

  private static final MethodDescriptor<byte[], byte[]> BYTES =
      RateLimitServiceGrpc.getShouldRateLimitMethod().toBuilder(new Raw(), new Raw()).build();

  private static final class Raw implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Test
  void everyMutatedMessageIsAnsweredOrRejected() {
    KeySpace keys = KeySpace.random();
    MemoryStore store = new MemoryStore();
    RlsEngine engine =
        new RlsEngine(
            new Limiter(store, (rule, outcome, subject) -> {}),
            keys,
            Ticker.system(),
            ALL,
            RlsListener.NOOP);
    DescriptorRules rules = DescriptorRules.of(DOMAINS, RuleBook.of(List.of(), keys));
    Random random = new Random(SEED);
    int answered = 0;
    int refused = 0;
    int unreadable = 0;
    for (int i = 0; i < MESSAGES; i++) {
      try {
        RateLimitRequest message = RateLimitRequest.parseFrom(mutated(random));
        RlsReply reply =
            engine.decide(rules, RlsCodec.request(message)).toCompletableFuture().join();
        RateLimitResponse response = RlsCodec.response(message, reply, ALL);
        assertThat(response.getStatusesCount()).isEqualTo(message.getDescriptorsCount());
        assertThat(response.getOverallCode()).isNotEqualTo(RateLimitResponse.Code.UNKNOWN);
        answered++;
      } catch (InvalidProtocolBufferException e) {
        unreadable++;
      } catch (RlsRequest.Refused e) {
        refused++;
      }
    }
    // Some of each, or the mutants do not differ.
    assertThat(List.of(answered, refused, unreadable)).allMatch(one -> one > MESSAGES / 50);
  }

  @Test
  @Timeout(600)
  void everyMutatedMessageOnAConnectionGetsOneStatus() throws Exception {
    Map<Status.Code, LongAdder> codes = new ConcurrentHashMap<>();
    ServerSettings settings = ServerSettings.DEFAULT.withRls(ALL);
    try (TestServer served =
            TestServer.with(RlsContract.NO_RULES, settings, new MemoryStore(), DOMAINS);
        RlsClient client = new RlsClient(served.server.grpcPort())) {
      Random random = new Random(SEED);
      Semaphore room = new Semaphore(IN_FLIGHT);
      for (int i = 0; i < ON_THE_WIRE; i++) {
        room.acquire();
        send(client, mutated(random), codes, room);
      }
      assertThat(room.tryAcquire(IN_FLIGHT, 120, TimeUnit.SECONDS)).isTrue();
      assertThat(codes(client.ask(about("one", "well")))).containsOnly(Code.OK);
      // Every message is counted once, and the metrics are readable.
      PrometheusText metrics = new PrometheusText(served.admin("GET", "/metrics", "").body());
      assertThat(metrics.sum("weir_rls_requests_total")).isEqualTo(ON_THE_WIRE + 1);
      assertThat(metrics.value("weir_rls_requests_total", "outcome", "failed")).isZero();
    }
    assertThat(codes.values().stream().mapToLong(LongAdder::sum).sum()).isEqualTo(ON_THE_WIRE);
    assertThat(codes).containsOnlyKeys(Status.Code.OK, Status.Code.INVALID_ARGUMENT);
    assertThat(codes.values()).allMatch(one -> one.sum() > ON_THE_WIRE / 10);
  }

  private static void send(
      RlsClient client, byte[] message, Map<Status.Code, LongAdder> codes, Semaphore room) {
    // The thread that reads answers counts them: waking up others for that would cost more.
    CallOptions options =
        CallOptions.DEFAULT.withDeadlineAfter(120, TimeUnit.SECONDS).withExecutor(Runnable::run);
    ClientCall<byte[], byte[]> call = client.channel.newCall(BYTES, options);
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onClose(Status status, Metadata trailers) {
            codes.computeIfAbsent(status.getCode(), code -> new LongAdder()).increment();
            room.release();
          }
        },
        new Metadata());
    call.sendMessage(message);
    call.halfClose();
    call.request(2);
  }

  private static byte[] mutated(Random random) {
    byte[] bytes = SEEDS.get(random.nextInt(SEEDS.size())).clone();
    for (int i = random.nextInt(4); i > 0; i--) {
      bytes = mutated(bytes, random);
    }
    return bytes;
  }

  private static byte[] mutated(byte[] bytes, Random random) {
    int at = random.nextInt(bytes.length + 1);
    return switch (random.nextInt(6)) {
      case 0 -> Arrays.copyOf(bytes, at);
      case 1 -> joined(Arrays.copyOf(bytes, at), some(random), rest(bytes, at));
      case 2 -> joined(bytes, SEEDS.get(random.nextInt(SEEDS.size())));
      case 3 -> joined(Arrays.copyOf(bytes, at), bytes);
      case 4 -> some(random);
      default -> {
        if (at < bytes.length) {
          bytes[at] = (byte) (random.nextBoolean() ? random.nextInt(256) : bytes[at] ^ 1);
        }
        yield bytes;
      }
    };
  }

  private static byte[] some(Random random) {
    byte[] some = new byte[random.nextInt(12)];
    random.nextBytes(some);
    return some;
  }

  private static byte[] rest(byte[] bytes, int from) {
    return Arrays.copyOfRange(bytes, from, bytes.length);
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}
