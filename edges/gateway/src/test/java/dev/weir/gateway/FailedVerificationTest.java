package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.InvalidParameterException;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.PublicKey;
import java.security.Security;
import java.security.SignatureSpi;
import java.security.interfaces.ECPublicKey;
import java.util.Base64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A fault while a token is verified: the request is answered, counted, and leaves nothing. */
class FailedVerificationTest {
  private static final String NAME = "WeirBrokenSignatures";

  private Path jwks = Path.of("");

  /** Verifies nothing, by a fault that is no exception. */
  public static final class BrokenSignature extends SignatureSpi {
    @Override
    protected void engineInitVerify(PublicKey key) {}

    @Override
    protected void engineInitSign(PrivateKey key) {}

    @Override
    protected void engineUpdate(byte one) {
      throw new LinkageError("broken");
    }

    @Override
    protected void engineUpdate(byte[] bytes, int from, int length) {
      throw new LinkageError("broken");
    }

    @Override
    protected byte[] engineSign() {
      return new byte[0];
    }

    @Override
    protected boolean engineVerify(byte[] signature) {
      throw new LinkageError("broken");
    }

    @Override
    @Deprecated
    protected void engineSetParameter(String name, Object value) {
      throw new InvalidParameterException();
    }

    @Override
    @Deprecated
    protected Object engineGetParameter(String name) {
      throw new InvalidParameterException();
    }
  }

  private static final class Broken extends Provider {
    private static final long serialVersionUID = 1;

    Broken() {
      super(NAME, "1", "fails to verify");
      put("Signature.SHA256withECDSA", BrokenSignature.class.getName());
    }
  }

  @BeforeEach
  void start(@TempDir Path directory) throws IOException, GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(256);
    ECPublicKey key = (ECPublicKey) generator.generateKeyPair().getPublic();
    jwks =
        Files.writeString(
            directory.resolve("jwks.json"),
            "{\"keys\":[{\"kty\":\"EC\",\"crv\":\"P-256\",\"alg\":\"ES256\",\"kid\":\"k\","
                + "\"x\":\"%s\",\"y\":\"%s\"}]}"
                    .formatted(
                        coordinate(key.getW().getAffineX()), coordinate(key.getW().getAffineY())));
    Security.insertProviderAt(new Broken(), 1);
  }

  @AfterEach
  void stop() {
    Security.removeProvider(NAME);
  }

  private static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static String coordinate(BigInteger number) {
    byte[] bytes = new byte[32];
    for (int i = 0; i < bytes.length; i++) {
      bytes[bytes.length - 1 - i] = number.shiftRight(8 * i).byteValue();
    }
    return base64(bytes);
  }

  private static String token() {
    byte[] signature = new byte[64];
    signature[31] = 1;
    signature[63] = 1;
    return base64("{\"alg\":\"ES256\",\"kid\":\"k\"}".getBytes(StandardCharsets.UTF_8))
        + "."
        + base64("{\"sub\":\"ann\",\"exp\":4000000000}".getBytes(StandardCharsets.UTF_8))
        + "."
        + base64(signature);
  }

  @Test
  void requestIsAnsweredAndCountedAndItsBodyDropped() throws IOException {
    String rules =
        """
        jwt: {jwks: "%s"}
        rules: [{name: account, match: {path: /account/**}, per: jwt sub, limit: 10/hour}]
        """
            .formatted(jwks);
    String hidden = "GET /hidden HTTP/1.1\r\nHost: a\r\n\r\n";
    try (ScriptedUpstream upstream = ScriptedUpstream.friendly();
        TestGateway gateway = TestGateway.to(rules, upstream.url());
        RawHttp client = new RawHttp(gateway.port())) {
      client.send(
          "POST /account/a HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer "
              + token()
              + "\r\nContent-Length: "
              + hidden.length()
              + "\r\n\r\n"
              + hidden);
      assertThat(client.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 500");
      client.send("GET /open HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
      assertThat(client.readAll()).contains("HTTP/1.1 200").endsWith("hello");
      assertThat(upstream.received).hasSize(1);
      assertThat(upstream.received.get(0).target()).isEqualTo("/open");
      assertThat(gateway.metrics()).contains("outcome=\"internal-error\"} 1");
      gateway.awaitInFlight(0);
    }
  }
}
