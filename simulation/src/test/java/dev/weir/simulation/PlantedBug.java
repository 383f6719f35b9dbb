package dev.weir.simulation;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.Decision.Verdict;
import dev.weir.LimitKey;
import dev.weir.Mode;
import dev.weir.Store;
import dev.weir.Ticker;
import dev.weir.guard.Roster;
import dev.weir.guard.Timers;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Bugs that a limiter might have, put in where its parts meet, and the promise that each breaks.
 */
enum PlantedBug {
  COUNTS_BY_THE_CLOCK_OF_WHO_ASKS(Invariant.STRICT) {
    @Override
    Ticker storeClock(Ticker own, Supplier<Ticker> asking) {
      return () -> asking.get().micros();
    }
  },

  LETS_PASS_WHAT_THE_STORE_DENIED(Invariant.STRICT) {
    @Override
    Store guarded(Store store) {
      return answering(store, PlantedBug::allowed);
    }
  },

  LEASES_WITHOUT_PAYING(Invariant.LEASED) {
    @Override
    Store guarded(Store store) {
      Set<LimitKey> leased = new HashSet<>();
      return new Forwarding(store) {
        @Override
        public Answer take(List<Claim> claims) {
          claims.stream().filter(one -> one.mode().leases()).forEach(one -> leased.add(one.key()));
          boolean refill =
              claims.get(0).mode().equals(Mode.STRICT) && leased.contains(claims.get(0).key());
          return refill
              ? Decision.of(Verdict.ALLOWED, 1_000_000, 0, 1_000_000)
              : super.take(claims);
        }
      };
    }
  },

  LEASES_AS_IF_ALONE(Invariant.LEASED) {
    @Override
    Roster roster(Roster roster) {
      return alone(roster);
    }
  },

  COUNTS_BY_A_SLOW_CLOCK(Invariant.POLITE) {
    @Override
    Ticker storeClock(Ticker own, Supplier<Ticker> asking) {
      long began = own.micros();
      return () -> began + (own.micros() - began) / 2;
    }
  },

  WAITS_FOR_EVER(Invariant.DEADLINE) {
    @Override
    Timers timers(Timers timers) {
      return new Timers() {
        @Override
        public long nanos() {
          return timers.nanos();
        }

        @Override
        public void after(long nanos, Runnable work) {
          // As short as this is only a deadline.
          if (nanos > Duration.ofMillis(50).toNanos()) {
            timers.after(nanos, work);
          }
        }
      };
    }
  },

  FORGETS_WHAT_IS_OWED(Invariant.BOOKS) {
    @Override
    Store settling(Store store) {
      return charging(store, (other, claims) -> other.look(claims));
    }
  },

  CHARGES_HALF_OF_WHAT_IS_OWED(Invariant.BOOKS) {
    @Override
    Store link(Store store) {
      return charging(
          store,
          (other, claims) ->
              other.charge(claims.stream().map(one -> one.costing(one.cost() / 2)).toList()));
    }
  },

  TELLS_HALF_OF_THE_WAIT(Invariant.RETRY) {
    @Override
    Store link(Store store) {
      return answering(store, PlantedBug::impatient);
    }
  },

  ASKS_AGAIN_WITHOUT_AN_ANSWER(Invariant.ONCE) {
    @Override
    Store link(Store store) {
      return new Forwarding(store) {
        @Override
        public Answer take(List<Claim> claims) {
          return Answer.later(
              super.take(claims)
                  .stage()
                  .exceptionallyCompose(failure -> super.take(claims).stage()));
        }
      };
    }
  },

  GIVES_BACK_TWICE(Invariant.ONCE) {
    @Override
    Store guarded(Store store) {
      return new Forwarding(store) {
        @Override
        public Answer refund(List<Claim> claims) {
          var unused = super.refund(claims);
          return super.refund(claims);
        }
      };
    }
  },

  SETTLES_TWICE(Invariant.ONCE) {
    @Override
    Store settling(Store store) {
      return charging(
          store,
          (other, claims) -> {
            var unused = other.charge(claims);
            return other.charge(claims);
          });
    }
  },

  OPENS_THE_GATES(Invariant.OUTAGE) {
    @Override
    Store guarded(Store store) {
      return new Forwarding(store) {
        @Override
        public Answer take(List<Claim> claims) {
          Decision free = Decision.allowed(1, 0, Basis.UNCOUNTED);
          List<Decision> each = claims.stream().map(one -> free).toList();
          return Answer.later(
              super.take(claims).stage().exceptionally(failure -> Decision.of(each)));
        }
      };
    }
  },

  STANDS_IN_AS_IF_ALONE(Invariant.OUTAGE) {
    @Override
    Roster roster(Roster roster) {
      return alone(roster);
    }
  };

  private final Invariant broken;

  PlantedBug(Invariant broken) {
    this.broken = broken;
  }

  Invariant broken() {
    return broken;
  }

  Store link(Store store) {
    return store;
  }

  Store guarded(Store store) {
    return store;
  }

  Store settling(Store store) {
    return store;
  }

  Roster roster(Roster roster) {
    return roster;
  }

  Timers timers(Timers timers) {
    return timers;
  }

  Ticker storeClock(Ticker own, Supplier<Ticker> asking) {
    return own;
  }

  /** The seams of a server that has this bug. */
  Seams seams() {
    return new Seams() {
      @Override
      Store link(Store link) {
        return PlantedBug.this.link(link);
      }

      @Override
      Store guarded(Store guarded) {
        return PlantedBug.this.guarded(guarded);
      }

      @Override
      Store settling(Store store) {
        return PlantedBug.this.settling(store);
      }

      @Override
      Roster roster(Roster roster) {
        return PlantedBug.this.roster(roster);
      }

      @Override
      Timers timers(Timers timers) {
        return PlantedBug.this.timers(timers);
      }

      @Override
      Ticker storeClock(Ticker own, Supplier<Ticker> asking) {
        return PlantedBug.this.storeClock(own, asking);
      }
    };
  }

  private static Store answering(Store store, UnaryOperator<Decision> change) {
    return new Forwarding(store) {
      @Override
      public Answer take(List<Claim> claims) {
        return Answer.later(
            super.take(claims)
                .stage()
                .thenApply(decision -> Decision.of(decision.each().stream().map(change).toList())));
      }
    };
  }

  private static Decision allowed(Decision told) {
    return told.allowed() ? told : Decision.of(Verdict.ALLOWED, 0, 0, 0);
  }

  private static Decision impatient(Decision told) {
    return told.retryAfter().map(wait -> told.later(wait.toNanos() / 2_000)).orElse(told);
  }

  private interface Charging {
    Answer charge(Store store, List<Claim> claims);
  }

  private static Store charging(Store store, Charging charging) {
    return new Forwarding(store) {
      @Override
      public Answer charge(List<Claim> claims) {
        return charging.charge(store, claims);
      }
    };
  }

  private static Roster alone(Roster roster) {
    return new Roster() {
      @Override
      public CompletionStage<Roll> announce(String server, Duration lasting) {
        return roster
            .announce(server, lasting)
            .thenApply(roll -> new Roll(List.of(server), roll.memory()));
      }

      @Override
      public CompletionStage<Void> leave(String server) {
        return roster.leave(server);
      }
    };
  }
}
