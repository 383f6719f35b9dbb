package dev.weir.benchmarks.spring;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** An application that answers with a small fixed body; its profile chooses its limiter. */
@SpringBootApplication
@RestController
public class RideApplication {
  private static final String RIDE =
      "{\"ride\":17,\"state\":\"accepted\",\"driver\":\"d-4711\"}\n";

  /** Starts it; {@code application.yaml} names the properties that it needs. */
  public static void main(String[] args) {
    SpringApplication.run(RideApplication.class, args);
  }

  /** A ride. */
  @GetMapping(path = "/api/rides/{id}", produces = MediaType.APPLICATION_JSON_VALUE)
  public String ride() {
    return RIDE;
  }
}
