package dev.weir.benchmarks.rules;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.weir.Descriptor;
import dev.weir.http.identity.HttpReader;
import java.time.Instant;
import java.util.Date;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Measures reading a claim of a cached token, and of a new one. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class TokenBenchmark {
  /** More tokens than the reader caches, used in turn, so that each is always new to it. */
  private static final int TOKENS = 100_000;

  private final HttpReader reader = SampleRules.reader(SampleRules.withTokens());
  private final SampleRequest[] requests = new SampleRequest[TOKENS];
  private int next;

  @Setup
  public void sign() throws JOSEException {
    MACSigner signer = new MACSigner(SampleRules.SECRET);
    for (int i = 0; i < TOKENS; i++) {
      JWTClaimsSet claims =
          new JWTClaimsSet.Builder()
              .subject("user-" + i)
              .expirationTime(Date.from(Instant.now().plusSeconds(86_400)))
              .build();
      SignedJWT token = new SignedJWT(new JWSHeader(JWSAlgorithm.HS256), claims);
      token.sign(signer);
      requests[i] = SampleRequest.of(i, token.serialize());
    }
    if (!"user-0".equals(reader.read(requests[0]).value("jwt sub"))) {
      throw new IllegalStateException("the token was not accepted");
    }
  }

  @Benchmark
  public Descriptor hit() {
    return reader.read(requests[0]);
  }

  @Benchmark
  public Descriptor miss() {
    next = (next + 1) % TOKENS;
    return reader.read(requests[next]);
  }
}
