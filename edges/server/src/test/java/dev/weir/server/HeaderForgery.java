package dev.weir.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Requests with forged gateway headers, sent through a gateway with the rules of its test. */
final class HeaderForgery {
  /** Ways to claim a better plan, each a target and header lines. */
  private static final List<List<String>> PLANS =
      List.of(
          List.of("/plan/a", "X-Plan: pro"),
          List.of("/plan/a", "x-PLAN: pro"),
          List.of("/plan/a", "X_Plan: pro"),
          List.of("/plan/a", "X-Plan: pro", "X-Plan: pro"),
          List.of("/plan/a", "X-Plan: pro", "X-Plan: free"),
          List.of("/plan/a", "X-Plan: free, pro"),
          List.of("/plan/a", "X-Plan: pro", "Connection: close, X-Plan"),
          List.of("/plan/a?trusted-headers=x-plan&deny=403&body=plain", "X-Plan: pro"),
          List.of("/plan/;trusted-headers=x-plan", "X-Plan: pro"),
          List.of("/plan/a", "X-Plan: pro", "X-Forwarded-Uri: /free", "X-Original-Uri: /free"),
          List.of("/plan/a", "X-Plan: pro", "X-Forwarded-Method: X", "X-Forwarded-Host: h"));

  /** Forged descriptions of other requests, in headers that only a gateway may set. */
  private static final List<List<String>> OTHERS =
      List.of(
          List.of("X-Forwarded-Uri: /free"),
          List.of("X-Forwarded-Method: PUT"),
          List.of("X-Forwarded-Host: h"),
          List.of("X-Original-Uri: /free"),
          List.of("X-Original-Method: PUT"),
          List.of("X-Original-Host: h"),
          List.of("X-Original-Url: http://h/free", "X-Rewrite-Url: /free"),
          List.of("X-Forwarded-Uri: /free", "X-Forwarded-Method: PUT", "X-Forwarded-Host: h"),
          List.of("X-Original-Uri: /free", "X-Original-Method: PUT", "X-Original-Host: h"),
          List.of("X_Forwarded_Uri: /free", "X_Original_Uri: /free"),
          List.of("X-Forwarded-Uri: /free", "X-Forwarded-Uri: /free"),
          List.of("Connection: close, X-Forwarded-Uri, X-Forwarded-Method, X-Forwarded-Host"),
          List.of("Connection: X-Original-Uri, X-Original-Method, X-Original-Host"));

  private HeaderForgery() {}

  /** Asserts that forged plans, users, addresses and requests have no effect. */
  static void gainsNothing(Gateway gateway) throws IOException {
    int plans = 0;
    for (List<String> plan : PLANS) {
      plans += passed(gateway, plan, 1);
    }
    assertThat(plans).as("requests of a plan").isEqualTo(2);
    int users = 0;
    int addresses = 0;
    for (int i = 0; i < 8; i++) {
      users += passed(gateway, List.of("/user/a", "X-User: u" + i), 1);
      String address = "10.9.8." + i;
      addresses +=
          passed(
              gateway,
              List.of(
                  "/address/a",
                  "X-Forwarded-For: " + address,
                  "Forwarded: for=" + address,
                  "X-Real-Ip: " + address),
              1);
    }
    assertThat(users).as("requests of made up users").isEqualTo(2);
    assertThat(addresses).as("requests from made up addresses").isEqualTo(2);
    for (String path : List.of("/gone/a", "/got/a", "/host/a")) {
      assertThat(status(gateway, List.of(path))).as("blocked").isEqualTo(403);
      for (List<String> other : OTHERS) {
        List<String> request = new ArrayList<>(other);
        request.add(0, path);
        assertThat(status(gateway, request)).as(request.toString()).isIn(403, 400);
      }
    }
  }

  /** Asserts that the plan header of the gateway wins over that of the client. */
  static void hasThePlanOfTheGateway(Gateway gateway) throws IOException {
    assertThat(passed(gateway, List.of("/plan/a", "X-Plan: free"), 5)).isEqualTo(5);
    assertThat(passed(gateway, List.of("/plan/a", "X-Plan: free", "X-Plan: pro"), 5)).isEqualTo(5);
    assertThat(passed(gateway, List.of("/plan/a"), 5)).isEqualTo(5);
  }

  /** The number of identical requests that pass; all others are denied. */
  static int passed(Gateway gateway, List<String> request, int times) throws IOException {
    int passed = 0;
    for (int i = 0; i < times; i++) {
      int status = status(gateway, request);
      assertThat(status).as(request.toString()).isIn(200, 429);
      passed += status == 200 ? 1 : 0;
    }
    return passed;
  }

  private static int status(Gateway gateway, List<String> request) throws IOException {
    StringBuilder text = new StringBuilder("GET " + request.get(0) + " HTTP/1.1\r\n");
    text.append("Host: 127.0.0.1:").append(gateway.port).append("\r\n");
    request.subList(1, request.size()).forEach(line -> text.append(line).append("\r\n"));
    try (RawClient client = new RawClient(gateway.port, 30_000)) {
      client.send(text.append("\r\n").toString().getBytes(US_ASCII));
      return requireNonNull(client.read(true)).status();
    }
  }
}
