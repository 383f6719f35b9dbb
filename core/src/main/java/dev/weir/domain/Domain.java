package dev.weir.domain;

import java.util.List;
import java.util.Optional;

/** A domain of the configuration. */
public interface Domain {
  String name();

  /** What applies to a descriptor, if anything does. */
  Optional<Hit> match(List<Entry> entries);

  List<DomainRule> rules();
}
