package dev.weir.client.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OriginsTest {
  private final List<String> created = new ArrayList<>();

  private Origins origins() {
    return new Origins(
        uri -> "",
        name -> {
          created.add(name);
          DispatchSettings settings = DispatchSettings.DEFAULT;
          return new Origin(
              new Pacer(name, settings, Timers.system(), new Random(1)), new RetryBudget(20, 10));
        });
  }

  @Test
  void serversWhoseNamesAreNoHostNamesAreDistinct() {
    Origins origins = origins();
    Origin one = origins.of(URI.create("http://user:secret@Order_Service:8080/a"));
    assertThat(origins.of(URI.create("http://order_service:8080/b"))).isSameAs(one);
    assertThat(origins.of(URI.create("http://user_service:8080/a"))).isNotSameAs(one);
    assertThat(created).containsExactly("http://order_service:8080", "http://user_service:8080");
  }

  @Test
  void defaultPortIsThatOfTheScheme() {
    Origins origins = origins();
    Origin one = origins.of(URI.create("https://user:secret@Server/a"));
    assertThat(origins.of(URI.create("https://server:443/b"))).isSameAs(one);
    assertThat(created).containsExactly("https://server:443");
  }

  @Test
  void originThatWasNotUsedForLongestIsForgotten() {
    Origins origins = origins();
    URI first = URI.create("http://server-0/");
    Origin one = origins.of(first);
    for (int i = 1; i < Origins.MAX_ORIGINS; i++) {
      origins.of(URI.create("http://server-" + i + "/"));
    }
    assertThat(origins.of(first)).isSameAs(one);
    origins.of(URI.create("http://server-one-more/"));
    assertThat(origins.of(first)).isSameAs(one);
    assertThat(created).hasSize(Origins.MAX_ORIGINS + 1);
    origins.of(URI.create("http://server-1/"));
    assertThat(created).hasSize(Origins.MAX_ORIGINS + 2);
  }
}
