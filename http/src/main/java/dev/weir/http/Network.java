package dev.weir.http;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A range of addresses that share their first bits.
 *
 * <p>IPv4 and IPv6 are apart: {@code ::/0} holds no IPv4 address. A network of IPv4 addresses
 * dressed as IPv6 ({@code ::ffff:10.0.0.0/104}) is the IPv4 network.
 */
public final class Network {
  private static final String FORMS = "an address or a network, such as 10.0.0.0/8 or fd00::/8";
  private static final int DRESSED = 96;

  /** Those of large networks of proxies are smaller, and those of whole providers are not. */
  private static final int WIDEST_V4 = 12;

  private static final int WIDEST_V6 = 20;

  /**
   * What nobody has on the Internet: of their own, of a provider's own, this machine, this link.
   */
  private static final List<Network> LOCAL =
      Stream.of(
              "10.0.0.0/8",
              "172.16.0.0/12",
              "192.168.0.0/16",
              "100.64.0.0/10",
              "127.0.0.0/8",
              "169.254.0.0/16",
              "fc00::/7",
              "fe80::/10")
          .map(Network::parse)
          .toList();

  private final Ip first;
  private final int bits;

  private Network(Ip first, int bits) {
    this.first = first;
    this.bits = bits;
  }

  /**
   * The network that a text denotes; a bare address is a network of one.
   *
   * @throws IllegalArgumentException if it denotes none, or not clearly
   */
  public static Network parse(String text) {
    int slash = text.indexOf('/');
    int end = slash < 0 ? text.length() : slash;
    Ip first = text.indexOf('%') < 0 ? IpText.parse(text, 0, end) : null;
    if (first == null) {
      throw Refusal.of("network", text, FORMS);
    }
    int bits = slash < 0 ? first.width() : bits(text, slash + 1, first.width());
    if (first.isNat64() && bits >= DRESSED) {
      throw Refusal.of("network", text, "the IPv4 network: NAT64 addresses count as IPv4");
    }
    if (!first.masked(bits).equals(first)) {
      String meant = "no bits after the first " + bits + ", probably ";
      throw Refusal.of("network", text, meant + first.masked(bits) + "/" + bits);
    }
    if (first.isMapped() && bits >= DRESSED) {
      return new Network(Ip.ofV4(first.low() & 0xFFFF_FFFFL), bits - DRESSED);
    }
    return new Network(first, bits);
  }

  private static int bits(String text, int from, int most) {
    int bits = 0;
    for (int i = from; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!Ascii.isDigit(c) || i - from > 2) {
        throw Refusal.of("network", text, FORMS);
      }
      bits = bits * 10 + c - '0';
    }
    boolean padded = text.length() - from > 1 && text.charAt(from) == '0';
    if (from == text.length() || padded || bits > most) {
      throw Refusal.of("network", text, "a prefix length between 0 and " + most);
    }
    return bits;
  }

  /**
   * Whether it is wider than a network of one's own can be, so that strangers are in it: one of the
   * Internet that is wider than /12, in IPv6 /20, or one set aside for local use and more than it.
   */
  public boolean isWide() {
    for (Network local : LOCAL) {
      if (local.holds(this)) {
        return false;
      }
      if (holds(local)) {
        return true;
      }
    }
    return bits < (first.isIpv4() ? WIDEST_V4 : WIDEST_V6);
  }

  private boolean holds(Network other) {
    return bits <= other.bits && contains(other.first);
  }

  Ip first() {
    return first;
  }

  int bits() {
    return bits;
  }

  public boolean contains(Ip address) {
    return address.isIpv4() == first.isIpv4() && address.beginsLike(first, bits);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Network that && bits == that.bits && first.equals(that.first);
  }

  @Override
  public int hashCode() {
    return first.hashCode() * 31 + bits;
  }

  /** {@code 10.0.0.0/8}; a network of one is its address. */
  @Override
  public String toString() {
    return bits == first.width() ? first.toString() : first + "/" + bits;
  }
}
