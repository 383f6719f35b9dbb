package dev.weir.redis;

import java.io.ByteArrayOutputStream;
import java.security.PublicKey;
import java.util.Arrays;

/**
 * Puts a private key in PKCS#1 or SEC1 into the envelope that the JDK reads.
 *
 * <p>PKCS#8 is a version, the algorithm, and the key in one of the older forms. The algorithm, with
 * the curve where there is one, stands at the beginning of the public key too, which is in the
 * certificate.
 */
final class Pkcs8 {
  private static final int SEQUENCE = 0x30;
  private static final int OCTET_STRING = 0x04;
  private static final byte[] VERSION = {0x02, 0x01, 0x00};

  private Pkcs8() {}

  /**
   * @throws IllegalArgumentException if it is too long to be a key
   */
  static byte[] wrap(byte[] key, PublicKey pair) {
    byte[] encoded = pair.getEncoded();
    int start = headerLength(encoded, 0);
    int end = start + headerLength(encoded, start) + length(encoded, start);
    byte[] algorithm = Arrays.copyOfRange(encoded, start, end);
    return element(SEQUENCE, VERSION, algorithm, element(OCTET_STRING, key));
  }

  private static byte[] element(int tag, byte[]... parts) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      content.writeBytes(part);
    }
    int length = content.size();
    ByteArrayOutputStream element = new ByteArrayOutputStream(length + 4);
    element.write(tag);
    if (length > 0xFFFF) {
      throw new IllegalArgumentException("key: " + length + " bytes (expected: at most 65535)");
    } else if (length > 0xFF) {
      element.writeBytes(new byte[] {(byte) 0x82, (byte) (length >> 8), (byte) length});
    } else if (length > 0x7F) {
      element.writeBytes(new byte[] {(byte) 0x81, (byte) length});
    } else {
      element.write(length);
    }
    element.writeBytes(content.toByteArray());
    return element.toByteArray();
  }

  /** How many bytes of tag and length an element begins with. */
  private static int headerLength(byte[] der, int at) {
    int first = der[at + 1] & 0xFF;
    return first > 0x7F ? 2 + (first & 0x7F) : 2;
  }

  private static int length(byte[] der, int at) {
    int first = der[at + 1] & 0xFF;
    if (first <= 0x7F) {
      return first;
    }
    int length = 0;
    for (int i = at + 2; i < at + headerLength(der, at); i++) {
      length = (length << 8) | (der[i] & 0xFF);
    }
    return length;
  }
}
