package dev.weir.examples.ridehailing.webflux;

import dev.weir.examples.ridehailing.Driver;
import dev.weir.examples.ridehailing.Fare;
import dev.weir.examples.ridehailing.Location;
import dev.weir.examples.ridehailing.NoDriverException;
import dev.weir.examples.ridehailing.Ride;
import dev.weir.examples.ridehailing.RideHailing;
import dev.weir.examples.ridehailing.Trip;
import java.util.List;
import java.util.Map;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** The six endpoints. The service blocks nowhere, so it may run on the event loop. */
@RestController
@RequestMapping("/api")
class RideHailingController {
  private static final String RIDER = "X-User-Id";

  private final RideHailing service;

  RideHailingController(RideHailing service) {
    this.service = service;
  }

  @PostMapping("/rides/request")
  Mono<Ride> request(@RequestHeader(RIDER) String rider, @RequestBody Mono<Trip> trip) {
    return trip.map(wanted -> service.request(rider, wanted));
  }

  @PostMapping("/fares/estimate")
  Mono<Fare> estimate(@RequestBody Mono<Trip> trip) {
    return trip.map(service::estimate);
  }

  @PostMapping("/drivers/location")
  Mono<ResponseEntity<Void>> moved(@RequestBody Mono<Driver> driver) {
    return driver
        .map(service::moved)
        .map(room -> room ? HttpStatus.NO_CONTENT : HttpStatus.INSUFFICIENT_STORAGE)
        .map(status -> ResponseEntity.status(status).build());
  }

  @GetMapping("/drivers/nearby")
  List<Driver> nearby(@RequestParam double lat, @RequestParam double lng) {
    return service.nearby(new Location(lat, lng));
  }

  @GetMapping("/trips/history")
  List<Ride> history(@RequestHeader(RIDER) String rider) {
    return service.history(rider);
  }

  @GetMapping("/admin/zones/stats")
  Map<String, Long> zoneStats() {
    return service.zoneStats();
  }

  @ExceptionHandler
  @ResponseStatus(HttpStatus.NOT_FOUND)
  Map<String, String> noDriver(NoDriverException e) {
    return Map.of("error", String.valueOf(e.getMessage()));
  }
}
