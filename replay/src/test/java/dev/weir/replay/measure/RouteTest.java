package dev.weir.replay.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which segments of a path are identifiers. */
class RouteTest {
  @ParameterizedTest
  @CsvSource({
    "/, GET /",
    "/users/17/orders?page=2, GET /users/*/orders",
    "/api/v2/items, GET /api/v2/items",
    "/o/3fa85f64-5717-4562-b3fc-2c963f66afa6, GET /o/*",
    "/o/deadbeef1, GET /o/*",
    "/facade/decade, GET /facade/decade",
    "/u/ann@example.com/, GET /u/*/",
    "/s/a-very-long-title-of-2026, GET /s/*",
    "'', 'GET '"
  })
  void identifiersBecomeAStar(String target, String route) {
    assertThat(Route.name("GET", target)).isEqualTo(route);
  }

  @ParameterizedTest
  @CsvSource({"/users/1, /users/2, true", "/users/1, /users/me, false", "/a?x=1, /a?x=2, true"})
  void sameRouteHasTheSameHash(String one, String other, boolean same) {
    assertThat(Route.hash("GET", one) == Route.hash("GET", other)).isEqualTo(same);
    assertThat(Route.hash("GET", one)).isNotEqualTo(Route.hash("POST", one));
  }
}
