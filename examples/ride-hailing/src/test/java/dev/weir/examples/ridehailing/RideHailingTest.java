package dev.weir.examples.ridehailing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** The service without its limits. */
class RideHailingTest {
  private static final Location CONCERT = new Location(40.7505, -73.9934);
  private static final Trip TRIP = new Trip(CONCERT, new Location(40.7580, -73.9855));

  private final RideHailing service = new RideHailing();

  @Test
  void nearestDriverComes() {
    assertThat(service.request("ann", TRIP).driver().id()).isEqualTo("ada");
    service.moved(new Driver("dee", CONCERT));
    assertThat(service.request("ann", TRIP).driver().id()).isEqualTo("dee");
    assertThat(service.nearby(CONCERT)).extracting(Driver::id).startsWith("dee", "ada");
  }

  @Test
  void nobodyComesFromFarAway() {
    Trip elsewhere = new Trip(new Location(48.2, 16.4), CONCERT);
    assertThatThrownBy(() -> service.request("ann", elsewhere))
        .isInstanceOf(NoDriverException.class);
    assertThat(service.history("ann")).isEmpty();
  }

  @Test
  void fareGrowsWithTheDistance() {
    assertThat(service.estimate(new Trip(CONCERT, CONCERT))).isEqualTo(new Fare(0, 250));
    assertThat(service.estimate(TRIP)).isEqualTo(new Fare(1_068, 442));
  }

  @Test
  void historyHasTheLastTwentyRidesOfARiderTheLatestFirst() {
    for (int i = 0; i < 25; i++) {
      service.request("ann", TRIP);
    }
    assertThat(service.history("ann")).hasSize(20);
    assertThat(service.history("ann").get(0).id()).isEqualTo("ride-25");
    assertThat(service.history("bob")).isEmpty();
  }

  @Test
  void zonesCountDriversWhereTheyAreNow() {
    assertThat(service.zoneStats().values()).containsExactlyInAnyOrder(1L, 1L, 1L);
    service.moved(new Driver("ada", new Location(40.7485, -73.9965)));
    assertThat(service.zoneStats()).isEqualTo(Map.of("4074/-7400", 2L, "4075/-7399", 1L));
  }
}
