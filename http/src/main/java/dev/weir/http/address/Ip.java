package dev.weir.http.address;

import dev.weir.internal.Rejections;
import org.jspecify.annotations.Nullable;

/**
 * An IP address, equal to any other spelling of it. Immutable.
 *
 * <p>Addresses are compared by their bits. An IPv4-mapped IPv6 address ({@code ::ffff:192.0.2.1},
 * in any spelling) is the IPv4 address, because a dual-stack socket shows its IPv4 peers that way.
 * So is a NAT64 address ({@code 64:ff9b::192.0.2.1}), unless the embedded address is private: no
 * honest translator makes those, and a client that could make one would pass for an internal
 * address.
 */
public final class Ip {
  private static final long NAT64_HIGH = 0x0064_ff9b_0000_0000L;
  private static final int SIX_TO_FOUR = 0x2002;
  private static final int SIX_TO_FOUR_PREFIX = 48;

  private final boolean v4;
  private final long high;
  private final long low;

  private Ip(boolean v4, long high, long low) {
    this.v4 = v4;
    this.high = high;
    this.low = low;
  }

  /** Parses an address; null if the text is none. Never queries a name server. */
  public static @Nullable Ip parse(String text) {
    return parse(text, 0, text.length());
  }

  static @Nullable Ip parse(String text, int from, int to) {
    Ip literal = IpText.parse(text, from, to);
    return literal == null ? null : literal.embeddedOrSelf();
  }

  /**
   * Parses a part of a text that must have the form of IPv6; null if it has not. The address can
   * still be an {@linkplain #isIpv4 IPv4} one, embedded in IPv6.
   */
  public static @Nullable Ip parseIpv6(String text, int from, int to) {
    Ip literal = IpText.parse(text, from, to);
    return literal == null || literal.v4 ? null : literal.embeddedOrSelf();
  }

  static Ip ofV4(long bits) {
    return new Ip(true, 0, bits);
  }

  /** An IPv6 address as it is, also where {@link #parse} would return the embedded IPv4 address. */
  static Ip ofV6(long high, long low) {
    return new Ip(false, high, low);
  }

  /** Whether this is an IPv4 address. */
  public boolean isIpv4() {
    return v4;
  }

  /**
   * The network under which this address is counted: {@code 192.0.2.1}, {@code 192.0.2.0/24},
   * {@code 2001:db8::/64}.
   *
   * <p>A 6to4 address is never counted by more than 48 bits: a single IPv4 address owns a /48.
   *
   * @throws IllegalArgumentException if a prefix length is out of range
   */
  public String prefix(int ipv4Prefix, int ipv6Prefix) {
    Rejections.between("ipv4Prefix", ipv4Prefix, 1, 32);
    Rejections.between("ipv6Prefix", ipv6Prefix, 1, 128);
    int bits = v4 ? ipv4Prefix : ipv6Prefix;
    if (!v4 && high >>> 48 == SIX_TO_FOUR) {
      bits = Math.min(bits, SIX_TO_FOUR_PREFIX);
    }
    return bits == width() ? toString() : masked(bits) + "/" + bits;
  }

  /** The number of bits of an address of this family. */
  int width() {
    return v4 ? 32 : 128;
  }

  /** This address with all but the leading bits cleared. */
  Ip masked(int bits) {
    if (v4) {
      return ofV4(low & prefixMask(32 + bits));
    }
    return ofV6(high & prefixMask(Math.min(bits, 64)), low & prefixMask(Math.max(bits - 64, 0)));
  }

  /** Whether this many leading bits equal those of another address of the same family. */
  boolean sharesPrefix(Ip other, int bits) {
    if (v4) {
      return ((low ^ other.low) & prefixMask(32 + bits)) == 0;
    }
    return ((high ^ other.high) & prefixMask(Math.min(bits, 64))) == 0
        && ((low ^ other.low) & prefixMask(Math.max(bits - 64, 0))) == 0;
  }

  /** A mask of leading ones. */
  private static long prefixMask(int bits) {
    return bits == 0 ? 0 : -1L << (64 - bits);
  }

  long high() {
    return high;
  }

  long low() {
    return low;
  }

  boolean isMapped() {
    return !v4 && high == 0 && low >>> 32 == 0xFFFF;
  }

  boolean isNat64() {
    return !v4 && high == NAT64_HIGH && low >>> 32 == 0;
  }

  /** The embedded IPv4 address, if there is one that counts; else this address. */
  private Ip embeddedOrSelf() {
    if (isMapped() || (isNat64() && isGlobal((int) low))) {
      return ofV4(low & 0xFFFF_FFFFL);
    }
    return this;
  }

  private static boolean isGlobal(int bits) {
    int second = bits >>> 16 & 0xFF;
    int first = bits >>> 24;
    return switch (first) {
      case 0, 10, 127 -> false;
      case 100 -> second < 64 || second > 127;
      case 169 -> second != 254;
      case 172 -> second < 16 || second > 31;
      case 192 -> second != 168;
      default -> first < 224;
    };
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Ip that && v4 == that.v4 && high == that.high && low == that.low;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(high * 31 + low);
  }

  /** The canonical text: dotted quad, or IPv6 as in RFC 5952. */
  @Override
  public String toString() {
    return v4 ? IpText.quad(low) : IpText.colons(high, low);
  }
}
