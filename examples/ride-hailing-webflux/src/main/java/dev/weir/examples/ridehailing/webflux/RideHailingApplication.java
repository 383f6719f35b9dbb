package dev.weir.examples.ridehailing.webflux;

import dev.weir.examples.ridehailing.RideHailing;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/**
 * The ride-hailing service on WebFlux. No line of it is about limits: the starter applies
 * rules.yaml before a request reaches a controller.
 */
@SpringBootApplication
public class RideHailingApplication {
  /** Starts the service; arguments are properties of Spring Boot, such as {@code --server.port}. */
  public static void main(String[] args) {
    SpringApplication.run(RideHailingApplication.class, args);
  }

  @Bean
  RideHailing rideHailing() {
    return new RideHailing();
  }
}
