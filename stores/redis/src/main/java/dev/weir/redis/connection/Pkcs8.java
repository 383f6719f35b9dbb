package dev.weir.redis.connection;

import java.io.ByteArrayOutputStream;
import java.security.PublicKey;
import java.util.Arrays;

/**
 * Wraps a private key in PKCS#1 or SEC1 into PKCS#8, the only format that the JDK reads.
 *
 * <p>PKCS#8 consists of a version, the algorithm, and the key in one of the older formats. The
 * encoded public key of the certificate begins with the same algorithm identifier, including the
 * curve where there is one, so it is copied from there.
 */
final class Pkcs8 {
  private static final int SEQUENCE = 0x30;
  private static final int OCTET_STRING = 0x04;
  private static final byte[] VERSION = {0x02, 0x01, 0x00};

  private Pkcs8() {}

  /**
   * Wraps a key.
   *
   * @param publicKey the public key of the same pair
   * @throws IllegalArgumentException if the bytes are too long to be a key
   */
  static byte[] wrap(byte[] key, PublicKey publicKey) {
    byte[] encoded = publicKey.getEncoded();
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

  /** The number of bytes that the tag and length of an element take. */
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
