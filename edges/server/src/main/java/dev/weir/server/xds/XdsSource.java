package dev.weir.server.xds;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import dev.weir.envoy.config.core.v3.Node;
import dev.weir.envoy.ratelimit.config.v3.RateLimitConfig;
import dev.weir.envoy.rpc.Status;
import dev.weir.envoy.service.discovery.v3.DiscoveryRequest;
import dev.weir.envoy.service.discovery.v3.DiscoveryResponse;
import dev.weir.rules.RuleSource;
import dev.weir.rules.yaml.RulesText;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Loads rules from an xDS management server until it is closed: subscribes to all of them, and
 * acknowledges (ACK) or rejects (NACK) each version. Thread-safe.
 *
 * <p>If the connection is lost, the last configuration stays active, and the source reconnects with
 * backoff. It logs when the connection is lost and when it is back, and not each attempt.
 */
public final class XdsSource implements AutoCloseable {
  /** The resource type of the subscription. */
  static final String TYPE = "ratelimit.config.ratelimit.v3.RateLimitConfig";

  static final String TYPE_URL = "type.googleapis.com/" + TYPE;

  private static final Logger LOG = System.getLogger(XdsSource.class.getName());
  private static final int INVALID_ARGUMENT = 3;
  private static final int MAX_MESSAGE_CHARS = 4_000;
  private static final int MAX_RESOURCE_BYTES = 4 * RulesText.MAX_BYTES;

  /**
   * The delay before the next response is read after a NACK, doubled each time up to sixteen times
   * this. Some servers send a rejected version again at once, in a loop.
   */
  private static final Duration NACK_DELAY = Duration.ofMillis(500);

  private static final int MAX_DOUBLINGS = 4;

  private final XdsSettings settings;
  private final RuleSource rules;
  private final Backoff backoff;
  private final Node node;
  private final Vertx vertx;
  private final Context context;

  private final AdsStream.Listener listener =
      new AdsStream.Listener() {
        @Override
        public void onResponse(DiscoveryResponse response) {
          onEstablished();
          load(response);
        }

        @Override
        public void onEstablished() {
          markConnected();
        }

        @Override
        public void onLost(String reason) {
          reconnect(reason);
        }
      };

  // Confined to the context.
  private @Nullable AdsStream stream;
  private String version = "";
  private int consecutiveNacks;
  private boolean everLoaded;
  private boolean lost;
  private boolean closed;

  private XdsSource(XdsSettings settings, RuleSource rules, RandomGenerator random) {
    this.settings = settings;
    this.rules = rules;
    this.backoff = new Backoff(settings.retries(), random);
    this.node = node(settings);
    // One thread for the stream, another for parsing rules, which may take long.
    this.vertx =
        Vertx.vertx(
            new VertxOptions()
                .setEventLoopPoolSize(1)
                .setWorkerPoolSize(1)
                .setInternalBlockingPoolSize(1)
                .setMaxWorkerExecuteTime(Duration.ofMinutes(5).toNanos()));
    this.context = vertx.getOrCreateContext();
  }

  /** Starts to connect, and returns at once. */
  public static XdsSource start(XdsSettings settings, RuleSource rules, RandomGenerator random) {
    XdsSource source = new XdsSource(settings, rules, random);
    source.context.runOnContext(now -> source.connect());
    return source;
  }

  private static Node node(XdsSettings settings) {
    Struct.Builder metadata = Struct.newBuilder();
    settings
        .metadata()
        .forEach(
            (name, value) ->
                metadata.putFields(name, Value.newBuilder().setStringValue(value).build()));
    return Node.newBuilder().setId(settings.node()).setMetadata(metadata).build();
  }

  private void connect() {
    if (!closed) {
      stream = AdsStream.open(vertx, settings, request().build(), listener);
    }
  }

  private DiscoveryRequest.Builder request() {
    return DiscoveryRequest.newBuilder().setNode(node).setTypeUrl(TYPE_URL).setVersionInfo(version);
  }

  private void markConnected() {
    backoff.reset();
    if (lost) {
      lost = false;
      LOG.log(Level.INFO, "xDS server {0} is back", settings.address());
    }
  }

  private void load(DiscoveryResponse response) {
    AdsStream current = stream;
    if (current == null) {
      return;
    }
    var unused =
        vertx
            .executeBlocking(() -> activate(response))
            .onComplete(
                problems -> acknowledge(current, response, problems),
                failure -> acknowledge(current, response, List.of(String.valueOf(failure))));
  }

  /** Parses and activates a version, on a worker thread; returns the problems. */
  private List<String> activate(DiscoveryResponse response) {
    List<String> problems = new ArrayList<>();
    List<RulesText> sources = new ArrayList<>();
    if (!isExpectedType(response.getTypeUrl())) {
      problems.add(wrongType("type_url", response.getTypeUrl()));
    }
    long bytes = 0;
    for (int i = 0; i < response.getResourcesCount() && problems.isEmpty(); i++) {
      Any resource = response.getResources(i);
      if (!isExpectedType(resource.getTypeUrl())) {
        problems.add(wrongType("resource " + (i + 1) + ": type_url", resource.getTypeUrl()));
        continue;
      }
      try {
        RulesText source = ConfigText.source(RateLimitConfig.parseFrom(resource.getValue()), i + 1);
        sources.add(source);
        bytes += source.bytes().length;
      } catch (InvalidProtocolBufferException e) {
        problems.add("resource " + (i + 1) + ": cannot be read (expected: a RateLimitConfig)");
      }
      if (bytes > MAX_RESOURCE_BYTES) {
        problems.add(
            "resources: too large (expected: at most " + MAX_RESOURCE_BYTES + " bytes in YAML)");
      }
    }
    if (problems.isEmpty()) {
      return rules.offer(sources);
    }
    rules.reportFailure(problems);
    return problems;
  }

  /** Ignores the part before the slash, which only says where the type is described. */
  private static boolean isExpectedType(String typeUrl) {
    return typeUrl.substring(typeUrl.lastIndexOf('/') + 1).equals(TYPE);
  }

  private static String wrongType(String field, String found) {
    return field + ": " + ConfigText.plain(found) + " (expected: " + TYPE_URL + ")";
  }

  private void acknowledge(AdsStream source, DiscoveryResponse response, List<String> problems) {
    if (problems.isEmpty()) {
      version = response.getVersionInfo();
      everLoaded = true;
      consecutiveNacks = 0;
      source.send(request().setResponseNonce(response.getNonce()).build());
      source.next();
      return;
    }
    String message = String.join("\n", problems);
    Status.Builder error =
        Status.newBuilder()
            .setCode(INVALID_ARGUMENT)
            .setMessage(
                message.length() <= MAX_MESSAGE_CHARS
                    ? message
                    : message.substring(0, MAX_MESSAGE_CHARS) + "…");
    source.send(request().setResponseNonce(response.getNonce()).setErrorDetail(error).build());
    long delay = NACK_DELAY.toMillis() << Math.min(consecutiveNacks++, MAX_DOUBLINGS);
    vertx.setTimer(delay, now -> source.next());
  }

  private void reconnect(String reason) {
    if (closed) {
      return;
    }
    if (!lost) {
      lost = true;
      String then =
          everLoaded ? "its last configuration stays active" : "no configuration has arrived yet";
      LOG.log(Level.WARNING, "xDS server {0} is lost: {1}; {2}", settings.address(), reason, then);
    }
    Duration wait = everLoaded ? backoff.next() : backoff.urgent();
    LOG.log(Level.DEBUG, "xDS: {0}; retrying in {1}", reason, wait);
    vertx.setTimer(wait.toMillis(), now -> connect());
  }

  /** Closes the stream; the active rules stay. */
  @Override
  public void close() {
    context.runOnContext(
        now -> {
          closed = true;
          if (stream != null) {
            stream.close();
          }
        });
    vertx.close().await();
  }
}
