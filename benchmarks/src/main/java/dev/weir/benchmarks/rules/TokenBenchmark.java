package dev.weir.benchmarks.rules;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.weir.Descriptor;
import dev.weir.http.HttpReader;
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

/** Reading a claim of a token seen before, and of one not seen before. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class TokenBenchmark {
  /** More than the reader remembers, in turn, so that each is always new to it. */
  private static final int STRANGERS = 100_000;

  private final HttpReader reader = SampleRules.reader(SampleRules.withTokens());
  private final SampleRequest[] strangers = new SampleRequest[STRANGERS];
  private int next;

  @Setup
  public void sign() throws JOSEException {
    MACSigner signer = new MACSigner(SampleRules.SECRET);
    for (int i = 0; i < STRANGERS; i++) {
      JWTClaimsSet claims =
          new JWTClaimsSet.Builder()
              .subject("user-" + i)
              .expirationTime(Date.from(Instant.now().plusSeconds(86_400)))
              .build();
      SignedJWT token = new SignedJWT(new JWSHeader(JWSAlgorithm.HS256), claims);
      token.sign(signer);
      strangers[i] = SampleRequest.of(i, token.serialize());
    }
    if (!"user-0".equals(reader.read(strangers[0]).value("jwt sub"))) {
      throw new IllegalStateException("the token is not believed");
    }
  }

  @Benchmark
  public Descriptor hit() {
    return reader.read(strangers[0]);
  }

  @Benchmark
  public Descriptor miss() {
    next = (next + 1) % STRANGERS;
    return reader.read(strangers[next]);
  }
}
