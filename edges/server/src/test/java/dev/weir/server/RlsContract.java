package dev.weir.server;

import dev.weir.Store;
import dev.weir.memory.MemoryStore;
import dev.weir.redis.RedisStore;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.server.rls.RlsSettings;
import dev.weir.server.settings.ServerSettings;
import dev.weir.testkit.redis.RedisServer;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The contract of the rate limit service, for every store and protocol. Each subclass covers one
 * topic with a realistic configuration.
 */
@ParameterizedClass
@EnumSource(RlsContract.Way.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RlsContract {
  static final String NO_RULES = "rules: []\n";
  static final Code OK = Code.OK;
  static final Code OVER = Code.OVER_LIMIT;

  /** A store and a protocol. */
  enum Way {
    EMBEDDED_GRPC(false, false),
    EMBEDDED_JSON(false, true),
    REDIS_GRPC(true, false),
    REDIS_JSON(true, true);

    final boolean redis;
    final boolean json;

    Way(boolean redis, boolean json) {
      this.redis = redis;
      this.json = json;
    }
  }

  @Parameter Way way;

  private final String yaml;
  private @Nullable RedisServer redis;
  private Store store;
  private TestServer served;

  /** The service with its usual settings. */
  RlsCaller rls;

  /** A value that no other test uses. */
  String me = "";

  @SuppressWarnings("NullAway.Init")
  RlsContract(String yaml) {
    this.yaml = yaml;
  }

  @BeforeParameterizedClassInvocation
  void start() {
    if (way.redis) {
      RedisServer started = RedisServer.start();
      redis = started;
      store = RedisStore.connect(RedisSettings.parse(started.url() + "?deadline=5s"));
    } else {
      store = new MemoryStore();
    }
    served = TestServer.with(yaml, ServerSettings.DEFAULT, store);
    rls = client(served);
  }

  @AfterParameterizedClassInvocation
  void stop() {
    rls.close();
    served.close();
    if (store instanceof RedisStore connected) {
      connected.close();
    }
    if (redis != null) {
      redis.close();
    }
  }

  @BeforeEach
  @SuppressWarnings("NullAway.Init") // the rest is there since before the class was run
  void name(TestInfo test) {
    me = test.getDisplayName();
  }

  /** Another service on the same store. */
  void with(RlsSettings settings, Consumer<RlsCaller> test) {
    try (TestServer other = TestServer.with(yaml, ServerSettings.DEFAULT.withRls(settings), store);
        RlsCaller client = client(other)) {
      test.accept(client);
    }
  }

  /** A server with other rules. */
  TestServer serve(String other) {
    return TestServer.with(other, ServerSettings.DEFAULT, store);
  }

  /** A client of that server. */
  RlsCaller client(TestServer of) {
    return way.json ? new JsonRlsClient(of) : new RlsClient(of.server.grpcPort());
  }

  /** The overall code, and one for each descriptor. */
  List<Code> codes(RateLimitDescriptor.Builder... descriptors) {
    return codes(rls.ask(descriptors));
  }

  static List<Code> codes(RateLimitResponse reply) {
    return RlsClient.codes(reply);
  }

  /** The remaining hits of a request that must pass. */
  List<Integer> left(RateLimitDescriptor.Builder... descriptors) {
    RateLimitResponse reply = rls.ask(descriptors);
    if (reply.getOverallCode() != OK) {
      throw new AssertionError(reply.toString());
    }
    return RlsClient.remaining(reply);
  }

  /** The limit of one descriptor; 0 if none. */
  int limit(String... words) {
    return rls.ask(RlsClient.about(words)).getStatuses(0).getCurrentLimit().getRequestsPerUnit();
  }
}
