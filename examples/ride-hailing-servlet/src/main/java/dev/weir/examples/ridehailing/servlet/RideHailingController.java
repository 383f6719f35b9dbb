package dev.weir.examples.ridehailing.servlet;

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

/** The six endpoints. */
@RestController
@RequestMapping("/api")
class RideHailingController {
  private static final String RIDER = "X-User-Id";

  private final RideHailing service;

  RideHailingController(RideHailing service) {
    this.service = service;
  }

  @PostMapping("/rides/request")
  Ride request(@RequestHeader(RIDER) String rider, @RequestBody Trip trip) {
    return service.request(rider, trip);
  }

  @PostMapping("/fares/estimate")
  Fare estimate(@RequestBody Trip trip) {
    return service.estimate(trip);
  }

  @PostMapping("/drivers/location")
  ResponseEntity<Void> moved(@RequestBody Driver driver) {
    HttpStatus status =
        service.moved(driver) ? HttpStatus.NO_CONTENT : HttpStatus.INSUFFICIENT_STORAGE;
    return ResponseEntity.status(status).build();
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
