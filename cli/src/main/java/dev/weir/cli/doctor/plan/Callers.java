package dev.weir.cli.doctor.plan;

import dev.weir.http.address.Ip;
import dev.weir.http.address.Network;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Predicate;

/**
 * Makes up callers that no rule has counted before: names, and addresses of this machine. The same
 * seed makes up the same callers. Not safe for use by several threads.
 */
public final class Callers {
  private static final int ATTEMPTS = 200;

  private final SplittableRandom random;
  private final List<Network> proxies;
  private final boolean addresses;

  /**
   * Makes up callers by a seed.
   *
   * @param proxies networks in which no caller may be, because rules trust their headers
   * @param addresses whether connections can come from any address in 127.0.0.0/8
   */
  public Callers(long seed, List<Network> proxies, boolean addresses) {
    this.random = new SplittableRandom(seed);
    this.proxies = List.copyOf(proxies);
    this.addresses = addresses;
  }

  /** A name that no caller has. */
  public String name() {
    return "weir-doctor-" + Long.toHexString(random.nextLong() >>> 16);
  }

  /** An address of this machine that no proxy has; empty if there is none that fits. */
  public Optional<String> address(Predicate<String> fits) {
    for (int i = 0; addresses && i < ATTEMPTS; i++) {
      String address =
          "127."
              + random.nextInt(1, 255)
              + "."
              + random.nextInt(256)
              + "."
              + random.nextInt(1, 255);
      if (!isProxy(address) && fits.test(address)) {
        return Optional.of(address);
      }
    }
    return Optional.empty();
  }

  /** An address that is not of this machine, for a header that a client forges. */
  public String elsewhere() {
    for (int i = 0; i < ATTEMPTS; i++) {
      String address =
          "198."
              + random.nextInt(18, 20)
              + "."
              + random.nextInt(256)
              + "."
              + random.nextInt(1, 255);
      if (!isProxy(address)) {
        return address;
      }
    }
    return "192.0.2.1";
  }

  private boolean isProxy(String address) {
    Ip ip = Ip.parse(address);
    return ip == null || proxies.stream().anyMatch(network -> network.contains(ip));
  }
}
