package dev.weir.server;

import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.PublicKey;
import java.security.Security;
import java.security.Signature;
import java.security.SignatureException;
import java.security.SignatureSpi;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * Records every signature that this JVM verifies with ES256 or RS256, with its thread, and can
 * block verifications. The providers of the JDK do the actual work.
 */
final class SignatureWatch implements AutoCloseable {
  private static final String NAME = "WeirSignatureWatch";

  private final List<Thread> verifying = new CopyOnWriteArrayList<>();
  private final CountDownLatch reached = new CountDownLatch(1);
  private volatile CountDownLatch held = new CountDownLatch(0);

  SignatureWatch() {
    Security.insertProviderAt(new Watching(), 1);
  }

  /** The threads that verified, one for each signature. */
  List<Thread> verifying() {
    return verifying;
  }

  /** Blocks all verifications until {@link #goOn}. */
  void hold() {
    held = new CountDownLatch(1);
  }

  /** Waits for the first blocked verification. */
  void awaitHeld() throws InterruptedException {
    reached.await();
  }

  void goOn() {
    held.countDown();
  }

  @Override
  public void close() {
    goOn();
    Security.removeProvider(NAME);
  }

  private void onVerify() throws SignatureException {
    verifying.add(Thread.currentThread());
    reached.countDown();
    try {
      held.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SignatureException(e);
    }
  }

  private final class Watching extends Provider {
    private static final long serialVersionUID = 1;

    Watching() {
      super(NAME, "1", "sees signatures");
      putService(new Watched(this, "SHA256withECDSA", "SunEC"));
      putService(new Watched(this, "SHA256withRSA", "SunRsaSign"));
    }
  }

  private final class Watched extends Provider.Service {
    private final String real;

    Watched(Provider provider, String algorithm, String real) {
      super(provider, "Signature", algorithm, Watching.class.getName(), null, null);
      this.real = real;
    }

    @Override
    public Object newInstance(@Nullable Object parameter) throws NoSuchAlgorithmException {
      try {
        return new WatchedSignature(Signature.getInstance(getAlgorithm(), real));
      } catch (GeneralSecurityException e) {
        throw new NoSuchAlgorithmException(e);
      }
    }
  }

  private final class WatchedSignature extends SignatureSpi {
    private final Signature real;

    WatchedSignature(Signature real) {
      this.real = real;
    }

    @Override
    protected void engineInitVerify(PublicKey key) throws InvalidKeyException {
      real.initVerify(key);
    }

    @Override
    protected void engineInitSign(PrivateKey key) throws InvalidKeyException {
      real.initSign(key);
    }

    @Override
    protected void engineUpdate(byte one) throws SignatureException {
      real.update(one);
    }

    @Override
    protected void engineUpdate(byte[] bytes, int from, int length) throws SignatureException {
      real.update(bytes, from, length);
    }

    @Override
    protected byte[] engineSign() throws SignatureException {
      return real.sign();
    }

    @Override
    protected boolean engineVerify(byte[] signature) throws SignatureException {
      onVerify();
      return real.verify(signature);
    }

    @Override
    @Deprecated
    protected void engineSetParameter(String name, Object value) {
      throw new UnsupportedOperationException(name);
    }

    @Override
    @Deprecated
    protected Object engineGetParameter(String name) {
      throw new UnsupportedOperationException(name);
    }
  }
}
