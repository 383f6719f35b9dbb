package dev.weir.benchmarks.redis;

/** The contestants, with their names in the tables. */
enum ContestantType {
  WEIR("weir"),
  EVALSHA("one EVALSHA per decision"),
  BATCHING("Bucket4j, batching"),
  BUCKET4J("Bucket4j"),
  REDISSON("Redisson");

  final String title;

  ContestantType(String title) {
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
