package dev.weir.http;

import dev.weir.Descriptor;
import dev.weir.rule.PathReadings;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How to find each of the values that rules ask for; made once, used for every request. */
final class Plan {
  private static final int NO_CLAIM = -1;

  private final Descriptor.Names names;
  private final Extractor[] extractors;
  private final CookieName[] cookies;
  private final List<String> claims;

  /** For each value the number of its claim, or {@link #NO_CLAIM}. */
  private final int[] claimOf;

  Plan(Descriptor.Names names, @Nullable JwtSettings jwt) {
    this.names = names;
    List<String> wantedCookies = new ArrayList<>();
    List<String> wantedClaims = new ArrayList<>();
    List<Extractor> found = new ArrayList<>();
    if (jwt != null && jwt.token().kind() == TokenPlace.Kind.COOKIE) {
      wantedCookies.add(jwt.token().name()); // the first, so that a reading knows where to look
    }
    for (String name : names.list()) {
      ValueName parsed = ValueName.parse(name);
      found.add(parsed == null ? Extractor.ABSENT : extractor(parsed, wantedCookies, wantedClaims));
    }
    extractors = found.toArray(Extractor[]::new);
    cookies = wantedCookies.stream().map(CookieName::new).toArray(CookieName[]::new);
    claims = List.copyOf(wantedClaims);
    claimOf = names.list().stream().mapToInt(this::claimOf).toArray();
  }

  private int claimOf(String name) {
    ValueName parsed = ValueName.parse(name);
    return parsed == null || !parsed.isClaim() ? NO_CLAIM : claims.indexOf(parsed.argument());
  }

  private static Extractor extractor(ValueName name, List<String> cookies, List<String> claims) {
    String argument = name.argument();
    return switch (name.kind()) {
      case METHOD -> Reading::method;
      case HOST -> Reading::host;
      case PATH -> reading -> reading.path().path();
      case OTHER_PATH -> reading -> PathReadings.join(reading.path().otherReadings());
      case IP -> Reading::clientPrefix;
      case EXACT_IP -> Reading::clientExact;
      case HEADER -> reading -> reading.header(argument);
      case TRUSTED_HEADER -> reading -> reading.trustedHeader(argument);
      case COOKIE -> {
        int index = indexIn(cookies, argument);
        yield reading -> reading.cookie(index);
      }
      case JWT -> {
        int index = indexIn(claims, argument);
        yield reading -> reading.claim(index);
      }
    };
  }

  private static int indexIn(List<String> wanted, String name) {
    if (!wanted.contains(name)) {
      wanted.add(name);
    }
    return wanted.indexOf(name);
  }

  /** The values of a request. */
  Descriptor values(Reading reading) {
    @Nullable String[] values = new String[extractors.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = extractors[i].value(reading);
    }
    return Descriptor.of(names, values);
  }

  /** The same values with other claims. */
  Descriptor withClaims(Descriptor read, @Nullable String[] others) {
    @Nullable String[] values = new String[claimOf.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = claimOf[i] == NO_CLAIM ? read.value(i) : others[claimOf[i]];
    }
    return Descriptor.of(names, values);
  }

  /** Cookies to look for; the one that holds the token, if any, is the first. */
  CookieName[] cookies() {
    return cookies;
  }

  List<String> claims() {
    return claims;
  }
}
