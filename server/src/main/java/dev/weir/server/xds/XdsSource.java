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
import dev.weir.yaml.RuleOrigin;
import dev.weir.yaml.Source;
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
 * Takes rules from a management server for as long as it is open: asks for all of them, and answers
 * each version with whether it is in force or why not.
 *
 * <p>If the server is lost, what it gave last stays in force, and it is asked again and again, with
 * pauses. That is logged when it is lost and when it is back, however many attempts that takes.
 */
public final class XdsSource implements AutoCloseable {
  /** What is asked for. */
  static final String TYPE = "ratelimit.config.ratelimit.v3.RateLimitConfig";

  static final String TYPE_URL = "type.googleapis.com/" + TYPE;

  private static final Logger LOG = System.getLogger(XdsSource.class.getName());
  private static final int INVALID_ARGUMENT = 3;
  private static final int MAX_TOLD = 4_000;
  private static final int MAX_RESOURCE_BYTES = 4 * Source.MAX_BYTES;

  /**
   * Some servers send again at once what was refused, and again, and again. So the next response is
   * read after a pause, twice as long each time up to sixteen times this.
   */
  private static final Duration AFTER_REFUSAL = Duration.ofMillis(500);

  private static final int MAX_DOUBLINGS = 4;

  private final XdsSettings settings;
  private final RuleOrigin rules;
  private final Backoff backoff;
  private final Node node;
  private final Vertx vertx;
  private final Context context;

  private final AdsStream.Listener listener =
      new AdsStream.Listener() {
        @Override
        public void heard(DiscoveryResponse response) {
          settled();
          XdsSource.this.heard(response);
        }

        @Override
        public void settled() {
          found();
        }

        @Override
        public void lost(String reason) {
          lose(reason);
        }
      };

  // All of these on the context.
  private @Nullable AdsStream stream;
  private String version = "";
  private int refusals;
  private boolean everTaken;
  private boolean lost;
  private boolean closed;

  private XdsSource(XdsSettings settings, RuleOrigin rules, RandomGenerator random) {
    this.settings = settings;
    this.rules = rules;
    this.backoff = new Backoff(settings.retries(), random);
    this.node = node(settings);
    // One thread speaks, another reads rules, which may take a while.
    this.vertx =
        Vertx.vertx(
            new VertxOptions()
                .setEventLoopPoolSize(1)
                .setWorkerPoolSize(1)
                .setInternalBlockingPoolSize(1)
                .setMaxWorkerExecuteTime(Duration.ofMinutes(5).toNanos()));
    this.context = vertx.getOrCreateContext();
  }

  /** Begins to ask, and does not wait for an answer. */
  public static XdsSource start(XdsSettings settings, RuleOrigin rules, RandomGenerator random) {
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

  private void found() {
    backoff.reset();
    if (lost) {
      lost = false;
      LOG.log(Level.INFO, "xDS server {0} is back", settings.address());
    }
  }

  private void heard(DiscoveryResponse response) {
    AdsStream asked = stream;
    if (asked == null) {
      return;
    }
    var unused =
        vertx
            .executeBlocking(() -> takeOn(response))
            .onComplete(
                problems -> answer(asked, response, problems),
                failure -> answer(asked, response, List.of(String.valueOf(failure))));
  }

  /** On a thread that may wait. */
  private List<String> takeOn(DiscoveryResponse response) {
    List<String> problems = new ArrayList<>();
    List<Source> sources = new ArrayList<>();
    if (!isOurs(response.getTypeUrl())) {
      problems.add(wrongType("type_url", response.getTypeUrl()));
    }
    long bytes = 0;
    for (int i = 0; i < response.getResourcesCount() && problems.isEmpty(); i++) {
      Any resource = response.getResources(i);
      if (!isOurs(resource.getTypeUrl())) {
        problems.add(wrongType("resource " + (i + 1) + ": type_url", resource.getTypeUrl()));
        continue;
      }
      try {
        Source source = ConfigText.source(RateLimitConfig.parseFrom(resource.getValue()), i + 1);
        sources.add(source);
        bytes += source.bytes().length;
      } catch (InvalidProtocolBufferException e) {
        problems.add("resource " + (i + 1) + ": cannot be read (expected: a RateLimitConfig)");
      }
      if (bytes > MAX_RESOURCE_BYTES) {
        problems.add(
            "resources: more (expected: at most " + MAX_RESOURCE_BYTES + " bytes in YAML)");
      }
    }
    if (problems.isEmpty()) {
      return rules.offer(sources);
    }
    rules.refuse(problems);
    return problems;
  }

  /** What stands before the slash says where a type is described, which may be anywhere. */
  private static boolean isOurs(String typeUrl) {
    return typeUrl.substring(typeUrl.lastIndexOf('/') + 1).equals(TYPE);
  }

  private static String wrongType(String field, String found) {
    return field + ": " + ConfigText.plain(found) + " (expected: " + TYPE_URL + ")";
  }

  private void answer(AdsStream asked, DiscoveryResponse response, List<String> problems) {
    if (problems.isEmpty()) {
      version = response.getVersionInfo();
      everTaken = true;
      refusals = 0;
      asked.answer(request().setResponseNonce(response.getNonce()).build());
      asked.next();
      return;
    }
    String told = String.join("\n", problems);
    Status.Builder error =
        Status.newBuilder()
            .setCode(INVALID_ARGUMENT)
            .setMessage(told.length() <= MAX_TOLD ? told : told.substring(0, MAX_TOLD) + "…");
    asked.answer(request().setResponseNonce(response.getNonce()).setErrorDetail(error).build());
    long pause = AFTER_REFUSAL.toMillis() << Math.min(refusals++, MAX_DOUBLINGS);
    vertx.setTimer(pause, now -> asked.next());
  }

  private void lose(String reason) {
    if (closed) {
      return;
    }
    if (!lost) {
      lost = true;
      String then = everTaken ? "its last configuration stays in force" : "nothing has come yet";
      LOG.log(Level.WARNING, "xDS server {0} is lost: {1}; {2}", settings.address(), reason, then);
    }
    Duration wait = everTaken ? backoff.next() : backoff.urgent();
    LOG.log(Level.DEBUG, "xDS: {0}; again in {1}", reason, wait);
    vertx.setTimer(wait.toMillis(), now -> connect());
  }

  /** Asks no more; what is in force stays. */
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
