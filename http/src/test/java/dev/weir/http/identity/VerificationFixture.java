package dev.weir.http.identity;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.ECKey;
import dev.weir.Descriptor;
import dev.weir.http.FakeRequest;
import dev.weir.http.HttpMeters.Event;
import dev.weir.http.ManualClock;
import dev.weir.http.Readers;
import dev.weir.http.Tokens;
import dev.weir.http.jwt.JwtKeys;
import dev.weir.http.jwt.JwtSettings;
import dev.weir.http.jwt.VerificationPool;
import dev.weir.http.jwt.VerificationPools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A reader behind a trusted proxy, whose verifications run when the test says so. */
abstract class VerificationFixture {
  static final Descriptor.Names NAMES = Descriptor.Names.of(List.of("path", "jwt sub", "jwt plan"));

  /** A key that is not among the configured ones, but has the name of one. */
  static final ECKey FORGER = Tokens.ec("ec-1");

  final ManualClock clock = new ManualClock();

  /** The verifications that were submitted and have not run yet. */
  final Deque<Runnable> queue = new ArrayDeque<>();

  int queueCapacity = 1_000;
  HttpReader reader;

  @SuppressWarnings("NullAway.Init")
  VerificationFixture() {}

  @BeforeEach
  void createReader(@TempDir Path folder) throws IOException {
    Path jwks = Files.writeString(folder.resolve("jwks.json"), Tokens.jwks(Tokens.EC, Tokens.RSA));
    JwtSettings tokens = JwtSettings.of(JwtKeys.file(jwks));
    HttpSettings settings = Readers.trusting("10.0.0.0/8").withJwt(tokens);
    VerificationPool pool = VerificationPools.on(this::submit, clock);
    reader = HttpReader.on(pool, settings, NAMES, clock);
  }

  private void submit(Runnable work) {
    if (queue.size() == queueCapacity) {
      throw new RejectedExecutionException("full");
    }
    queue.add(work);
  }

  void runAll() {
    while (!queue.isEmpty()) {
      queue.remove().run();
    }
  }

  CompletableFuture<Descriptor> verifyAsync(String client, String token) {
    return reader.open(from(client, token)).verifyAsync().toCompletableFuture();
  }

  @Nullable String sub(String client, String token) {
    return reader.read(from(client, token)).value("jwt sub");
  }

  long count(Event event) {
    return reader.meters().of(event);
  }

  static FakeRequest from(String client, String token) {
    return FakeRequest.from("10.0.0.1").header("X-Forwarded-For", client).bearer(token);
  }

  static String honest(String subject) {
    return Tokens.sign(Tokens.EC, JWSAlgorithm.ES256, Tokens.ann().subject(subject).build());
  }

  /** A token signed with another key under the same name; never the same twice. */
  static String forged() {
    return Tokens.sign(FORGER, JWSAlgorithm.ES256, Tokens.ann().subject("root").build());
  }
}
