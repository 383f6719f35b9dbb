package dev.weir.http.identity;

import dev.weir.Descriptor;
import dev.weir.http.jwt.JwtSettings;
import dev.weir.http.jwt.TokenLocation;
import dev.weir.http.request.CookieName;
import dev.weir.rule.condition.PathReadings;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How to extract each value that rules read; made once, used for every request. Immutable. */
final class ExtractionPlan {
  private static final int NO_CLAIM = -1;

  private final Descriptor.Names names;
  private final Extractor[] extractors;
  private final CookieName[] cookies;
  private final List<String> claims;

  /** For each value the index of its claim, or {@link #NO_CLAIM}. */
  private final int[] claimOf;

  ExtractionPlan(Descriptor.Names names, @Nullable JwtSettings jwt) {
    this.names = names;
    List<String> cookieNames = new ArrayList<>();
    List<String> claimNames = new ArrayList<>();
    List<Extractor> all = new ArrayList<>();
    if (jwt != null && jwt.token().kind() == TokenLocation.Kind.COOKIE) {
      cookieNames.add(jwt.token().name()); // at index 0, where RequestValues looks for the token
    }
    for (String name : names.list()) {
      ValueName parsed = ValueName.parse(name);
      all.add(parsed == null ? Extractor.ABSENT : extractor(parsed, cookieNames, claimNames));
    }
    extractors = all.toArray(Extractor[]::new);
    cookies = cookieNames.stream().map(CookieName::new).toArray(CookieName[]::new);
    claims = List.copyOf(claimNames);
    claimOf = names.list().stream().mapToInt(this::claimOf).toArray();
  }

  private int claimOf(String name) {
    ValueName parsed = ValueName.parse(name);
    return parsed == null || !parsed.isClaim() ? NO_CLAIM : claims.indexOf(parsed.argument());
  }

  private static Extractor extractor(ValueName name, List<String> cookies, List<String> claims) {
    String argument = name.argument();
    return switch (name.kind()) {
      case METHOD -> RequestValues::method;
      case HOST -> RequestValues::host;
      case PATH -> values -> values.path().path();
      case OTHER_PATH -> values -> PathReadings.join(values.path().otherReadings());
      case IP -> RequestValues::clientPrefix;
      case EXACT_IP -> RequestValues::clientExact;
      case PRINCIPAL -> RequestValues::principal;
      case HEADER -> values -> values.header(argument);
      case TRUSTED_HEADER -> values -> values.trustedHeader(argument);
      case COOKIE -> {
        int index = indexIn(cookies, argument);
        yield values -> values.cookie(index);
      }
      case JWT -> {
        int index = indexIn(claims, argument);
        yield values -> values.claim(index);
      }
    };
  }

  private static int indexIn(List<String> names, String name) {
    if (!names.contains(name)) {
      names.add(name);
    }
    return names.indexOf(name);
  }

  /** Extracts the values of a request. */
  Descriptor extract(RequestValues request) {
    @Nullable String[] values = new String[extractors.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = extractors[i].value(request);
    }
    return Descriptor.of(names, values);
  }

  /** A copy of the values with other claims. */
  Descriptor withClaims(Descriptor extracted, @Nullable String[] others) {
    @Nullable String[] values = new String[claimOf.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = claimOf[i] == NO_CLAIM ? extracted.value(i) : others[claimOf[i]];
    }
    return Descriptor.of(names, values);
  }

  /** The cookies to extract; the one that carries the token, if any, is the first. */
  CookieName[] cookies() {
    return cookies;
  }

  /** The names of the claims to extract. */
  List<String> claims() {
    return claims;
  }
}
