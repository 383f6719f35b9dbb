package dev.weir.http.address;

import dev.weir.http.Ascii;
import dev.weir.internal.Rejections;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A range of addresses that share a prefix. Immutable.
 *
 * <p>IPv4 and IPv6 are separate: {@code ::/0} contains no IPv4 address. A network of IPv4-mapped
 * IPv6 addresses ({@code ::ffff:10.0.0.0/104}) is the IPv4 network.
 */
public final class Network {
  private static final String FORMS = "an address or a network, such as 10.0.0.0/8 or fd00::/8";

  /** The prefix before an IPv4 address that is embedded in IPv6. */
  private static final int EMBEDDING_BITS = 96;

  /** Large proxy networks have longer prefixes than these; whole providers do not. */
  private static final int MIN_BITS_V4 = 12;

  private static final int MIN_BITS_V6 = 20;

  /** Networks that are not routed on the Internet: private, shared, loopback, link-local. */
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
   * Parses a network; a bare address is a network of one address.
   *
   * @throws IllegalArgumentException if the text is no network, or has bits set after its prefix
   */
  public static Network parse(String text) {
    int slash = text.indexOf('/');
    int end = slash < 0 ? text.length() : slash;
    Ip first = text.indexOf('%') < 0 ? IpText.parse(text, 0, end) : null;
    if (first == null) {
      throw Rejections.of("network", text, FORMS);
    }
    int bits = slash < 0 ? first.width() : bits(text, slash + 1, first.width());
    if (first.isNat64() && bits >= EMBEDDING_BITS) {
      throw Rejections.of("network", text, "the IPv4 network: NAT64 addresses count as IPv4");
    }
    if (!first.masked(bits).equals(first)) {
      String expected = "no bits after the first " + bits + ", probably ";
      throw Rejections.of("network", text, expected + first.masked(bits) + "/" + bits);
    }
    if (first.isMapped() && bits >= EMBEDDING_BITS) {
      return new Network(Ip.ofV4(first.low() & 0xFFFF_FFFFL), bits - EMBEDDING_BITS);
    }
    return new Network(first, bits);
  }

  private static int bits(String text, int from, int max) {
    int bits = 0;
    for (int i = from; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!Ascii.isDigit(c) || i - from > 2) {
        throw Rejections.of("network", text, FORMS);
      }
      bits = bits * 10 + c - '0';
    }
    boolean padded = text.length() - from > 1 && text.charAt(from) == '0';
    if (from == text.length() || padded || bits > max) {
      throw Rejections.of("network", text, "a prefix length between 0 and " + max);
    }
    return bits;
  }

  /**
   * Whether the network is too wide to be under one administration, so that it contains strangers:
   * an Internet network wider than /12 (IPv6: /20), or one that extends beyond a local network.
   */
  public boolean isWide() {
    for (Network local : LOCAL) {
      if (local.contains(this)) {
        return false;
      }
      if (contains(local)) {
        return true;
      }
    }
    return bits < (first.isIpv4() ? MIN_BITS_V4 : MIN_BITS_V6);
  }

  private boolean contains(Network other) {
    return bits <= other.bits && contains(other.first);
  }

  Ip first() {
    return first;
  }

  int bits() {
    return bits;
  }

  /** Whether the network contains an address; false for an address of the other family. */
  public boolean contains(Ip address) {
    return address.isIpv4() == first.isIpv4() && address.sharesPrefix(first, bits);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Network that && bits == that.bits && first.equals(that.first);
  }

  @Override
  public int hashCode() {
    return first.hashCode() * 31 + bits;
  }

  /** {@code 10.0.0.0/8}; a network of one address is that address. */
  @Override
  public String toString() {
    return bits == first.width() ? first.toString() : first + "/" + bits;
  }
}
