package dev.weir.cli.surge;

import dev.weir.cli.command.Failure;
import dev.weir.cli.terminal.Progress;
import dev.weir.load.service.Capacity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Runs a surge twice, each time against a service of its own: bare, and behind a gateway. */
final class Surge {
  private static final int ANY_PORT = 0;

  private final Programs programs;
  private final Progress progress;
  private final SurgeClients clients;

  Surge(Programs programs, Progress progress) {
    this.programs = programs;
    this.progress = progress;
    this.clients = new SurgeClients(progress);
  }

  /** Measures what capacity fits this machine. */
  Capacity measureCapacity() throws Failure, InterruptedException {
    progress.begin("measuring what this machine can carry");
    Capacity any = Capacity.of(SurgeSettings.MAX_CAPACITY);
    try (Programs.Running service = programs.service(ANY_PORT, any)) {
      return Capacity.of(clients.measureCapacity(service.url()));
    }
  }

  /** Offers the surge to the service itself. */
  SurgeRun bare(SurgeSettings settings) throws Failure, InterruptedException {
    progress.begin("starting the service");
    try (Programs.Running service = programs.service(ANY_PORT, settings.capacity())) {
      return clients.run("bare", service.url(), settings);
    }
  }

  /** Offers the surge to Weir's gateway in front of the service. */
  SurgeRun behindWeir(SurgeSettings settings) throws Failure, InterruptedException, IOException {
    progress.begin("starting the service and the gateway");
    Path rules = Files.createTempFile("weir-surge", ".yaml");
    try (Programs.Running service = programs.service(ANY_PORT, settings.capacity())) {
      Files.writeString(rules, SurgeRules.text(settings.capacity()));
      try (Programs.Running gateway = programs.gateway(service.url(), rules)) {
        return clients.run("behind Weir", gateway.url(), settings);
      }
    } finally {
      Files.deleteIfExists(rules);
    }
  }

  /** Offers the surge to another gateway, which forwards to the service on a port. */
  SurgeRun behind(String gateway, int servicePort, SurgeSettings settings)
      throws Failure, InterruptedException {
    progress.begin("starting the service");
    try (Programs.Running service = programs.service(servicePort, settings.capacity())) {
      progress.begin("the service is on " + service.url() + ", the gateway on " + gateway);
      return clients.run("behind " + gateway, gateway, settings);
    }
  }

  /** Both runs, behind Weir or behind another gateway. */
  SurgeComparison compare(
      Capacity capacity, Duration surge, @Nullable String gateway, int servicePort)
      throws Failure, InterruptedException, IOException {
    SurgeSettings settings = SurgeSettings.of(capacity, surge, FileDescriptors.max());
    SurgeRun bare = bare(settings);
    SurgeRun limited =
        gateway == null ? behindWeir(settings) : behind(gateway, servicePort, settings);
    return new SurgeComparison(settings, bare, limited);
  }
}
