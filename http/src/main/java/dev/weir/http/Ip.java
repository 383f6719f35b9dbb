package dev.weir.http;

import org.jspecify.annotations.Nullable;

/**
 * An IP address: the same object value however it was written.
 *
 * <p>Addresses are compared by their bits. An IPv4 address dressed as IPv6 ({@code
 * ::ffff:192.0.2.1}, in any spelling) is the IPv4 address, because a socket that speaks both shows
 * its IPv4 callers that way. So is one behind a NAT64 translator ({@code 64:ff9b::192.0.2.1}),
 * unless the address inside is a private one: no honest translator makes those, and whoever could
 * would otherwise pass for a neighbour.
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

  /** The address that a text denotes, or null if it denotes none; never asks a name server. */
  public static @Nullable Ip parse(String text) {
    return parse(text, 0, text.length());
  }

  static @Nullable Ip parse(String text, int from, int to) {
    Ip written = IpText.parse(text, from, to);
    return written == null ? null : written.meant();
  }

  static Ip ofV4(long bits) {
    return new Ip(true, 0, bits);
  }

  /** An IPv6 address exactly as written, also where {@link #parse} would see an IPv4 address. */
  static Ip ofV6(long high, long low) {
    return new Ip(false, high, low);
  }

  public boolean isIpv4() {
    return v4;
  }

  /**
   * The network this address is counted under, as text: {@code 192.0.2.1}, {@code 192.0.2.0/24},
   * {@code 2001:db8::/64}.
   *
   * <p>A 6to4 address is never counted finer than /48: that much belongs to a single IPv4 address.
   */
  public String prefix(int ipv4Prefix, int ipv6Prefix) {
    Refusal.between("ipv4Prefix", ipv4Prefix, 1, 32);
    Refusal.between("ipv6Prefix", ipv6Prefix, 1, 128);
    int bits = v4 ? ipv4Prefix : ipv6Prefix;
    if (!v4 && high >>> 48 == SIX_TO_FOUR) {
      bits = Math.min(bits, SIX_TO_FOUR_PREFIX);
    }
    return bits == width() ? toString() : masked(bits) + "/" + bits;
  }

  /** The bits of an address of this family. */
  int width() {
    return v4 ? 32 : 128;
  }

  Ip masked(int bits) {
    if (v4) {
      return ofV4(low & head(32 + bits));
    }
    return ofV6(high & head(Math.min(bits, 64)), low & head(Math.max(bits - 64, 0)));
  }

  /** Whether this many leading bits are those of another address of the same family. */
  boolean beginsLike(Ip other, int bits) {
    if (v4) {
      return ((low ^ other.low) & head(32 + bits)) == 0;
    }
    return ((high ^ other.high) & head(Math.min(bits, 64))) == 0
        && ((low ^ other.low) & head(Math.max(bits - 64, 0))) == 0;
  }

  /** A mask of leading ones. */
  private static long head(int bits) {
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

  private Ip meant() {
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
