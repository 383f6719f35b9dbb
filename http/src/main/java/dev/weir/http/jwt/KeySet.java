package dev.weir.http.jwt;

import com.nimbusds.jose.JWSHeader;
import java.security.Key;
import java.util.List;

/** Keys that verify tokens. Immutable: changed keys are another set. */
interface KeySet {
  /** The keys that may have signed a token with this header. */
  List<Key> candidates(JWSHeader header);
}
