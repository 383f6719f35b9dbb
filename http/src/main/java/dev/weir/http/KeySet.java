package dev.weir.http;

import com.nimbusds.jose.JWSHeader;
import java.security.Key;
import java.util.List;

/** Keys to verify tokens with. Keys that changed are another set. */
interface KeySet {
  /** The keys that may have signed a token with this header. */
  List<Key> candidates(JWSHeader header);
}
