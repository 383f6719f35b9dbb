package dev.weir.load.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;

class RideServiceTest {
  private static int status(RideService service, String method, String path) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + service.port() + path))
            .method(method, BodyPublishers.ofString("{}"))
            .build();
    HttpResponse<Void> response =
        HttpClient.newHttpClient().send(request, BodyHandlers.discarding());
    return response.statusCode();
  }

  @Test
  void bothEndpointsAnswerAndOthersDoNot() throws Exception {
    try (RideService service = RideService.start(0, Capacity.of(800))) {
      assertThat(status(service, "POST", "/api/rides/request")).isEqualTo(200);
      assertThat(status(service, "POST", "/api/fares/estimate")).isEqualTo(200);
      assertThat(status(service, "GET", "/healthz")).isEqualTo(200);
      assertThat(status(service, "GET", "/api/rides/request")).isEqualTo(405);
      assertThat(status(service, "GET", "/other")).isEqualTo(404);
    }
  }

  @Test
  void usedPortIsReported() throws Exception {
    try (RideService service = RideService.start(0, Capacity.of(800))) {
      assertThatThrownBy(() -> RideService.start(service.port(), Capacity.of(800)))
          .isInstanceOf(IOException.class)
          .hasMessage("127.0.0.1:" + service.port() + ": cannot listen");
    }
  }
}
