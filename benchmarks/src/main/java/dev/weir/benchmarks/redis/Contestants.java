package dev.weir.benchmarks.redis;

/** Who takes part, and what the tables call them. */
enum Contestants {
  WEIR("weir"),
  EVALSHA("one EVALSHA per decision"),
  BATCHING("Bucket4j, batching"),
  BUCKET4J("Bucket4j"),
  REDISSON("Redisson");

  final String title;

  Contestants(String title) {
    this.title = title;
  }

  Contestant open(String url) {
    return switch (this) {
      case WEIR -> new Weir(url);
      case EVALSHA -> new Evalsha(url);
      case BATCHING -> Bucket4j.batching(url);
      case BUCKET4J -> Bucket4j.plain(url);
      case REDISSON -> new Redisson(url);
    };
  }
}
