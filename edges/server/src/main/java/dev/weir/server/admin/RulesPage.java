package dev.weir.server.admin;

import dev.weir.Mode;
import dev.weir.rule.Allowance;
import dev.weir.rule.CallerOverride;
import dev.weir.rule.Candidate;
import dev.weir.rule.Cost;
import dev.weir.rule.Percent;
import dev.weir.rule.Rule;
import dev.weir.rule.Tiers;
import dev.weir.rule.condition.Condition;
import dev.weir.rules.ActiveRules;
import dev.weir.rules.RulesSnapshot;
import dev.weir.rules.yaml.Problem;
import dev.weir.server.action.ActionJson;
import dev.weir.server.action.Actions;
import dev.weir.server.decide.DecisionJson;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** {@code GET /rules}: the active rules, as the server parsed them. */
final class RulesPage {
  /** The maximum number of listed overrides, of all rules together: there may be millions. */
  static final int MAX_OVERRIDES = 10_000;

  private final ActiveRules rules;
  private final Actions actions;
  private int room = MAX_OVERRIDES;

  private RulesPage(ActiveRules rules, Actions actions) {
    this.rules = rules;
    this.actions = actions;
  }

  static JsonObject of(ActiveRules rules, Actions actions) {
    return new RulesPage(rules, actions).json();
  }

  private JsonObject json() {
    RulesSnapshot live = rules.current();
    ActiveRules.Status status = rules.status();
    JsonArray list = new JsonArray();
    for (Rule rule : live.book().rules()) {
      list.add(rule(rule).put("actions", AppliedActions.to(rule.name(), live, actions)));
    }
    JsonArray inForce = new JsonArray();
    actions.list().forEach(action -> inForce.add(ActionJson.of(action)));
    List<String> warnings = live.rules().warnings().stream().map(Problem::toString).toList();
    return new JsonObject()
        .put("version", live.version())
        .put("since", status.since().toString())
        .put("reloads", status.reloads())
        .put("refusals", status.refusals())
        .put("problems", new JsonArray(status.notes()))
        .put("refusedVersion", status.refusedVersion().isEmpty() ? null : status.refusedVersion())
        .put("warnings", new JsonArray(warnings))
        .put("actions", inForce)
        .put("rules", list);
  }

  private JsonObject rule(Rule rule) {
    JsonArray limits = new JsonArray();
    rule.allowances().forEach(allowance -> limits.addAll(limits(allowance)));
    JsonObject json =
        new JsonObject()
            .put("name", rule.name())
            .put("match", conditions(rule.match()))
            .put("per", new JsonArray(rule.per().stream().map(one -> one.name()).toList()))
            .put("whenAbsent", word(rule.whenAbsent()))
            .put("limits", limits)
            .put("cost", cost(rule.cost()))
            .put("mode", word(rule.mode().kind()))
            .put("whenStoreFails", word(rule.failureMode()))
            .put("enforcedPercent", percent(rule.enforced()))
            .put("appliedPercent", percent(rule.applied()))
            .put("blockedStatus", rule.blockedStatus());
    if (rule.mode().kind() != Mode.Kind.STRICT) {
      json.put("share", Percent.of(rule.mode().share()));
    }
    Tiers tiers = rule.tiers().orElse(null);
    json.put("otherwise", allowance(tiers == null ? rule.allowance() : fallback(tiers)));
    if (tiers != null) {
      json.put("tiers", tiers(tiers));
    }
    rule.candidate().ifPresent(candidate -> json.put("candidate", candidate(candidate)));
    overrides(rule, tiers, json);
    return json;
  }

  private static Allowance fallback(Tiers tiers) {
    return tiers.tiers().getOrDefault(tiers.fallback(), Allowance.UNLIMITED);
  }

  private static JsonObject tiers(Tiers tiers) {
    JsonObject each = new JsonObject();
    new TreeMap<>(tiers.tiers()).forEach((name, allowance) -> each.put(name, allowance(allowance)));
    JsonObject json = new JsonObject().put("default", tiers.fallback()).put("each", each);
    return tiers.value() == null ? json : json.put("from", tiers.value());
  }

  private static JsonObject candidate(Candidate candidate) {
    JsonObject json = new JsonObject().put("rolloutPercent", percent(candidate.rollout()));
    if (candidate.allowance() != null) {
      return json.put("allowance", allowance(candidate.allowance()));
    }
    JsonObject each = new JsonObject();
    new TreeMap<>(candidate.tiers()).forEach((name, tier) -> each.put(name, allowance(tier)));
    return json.put("tiers", each);
  }

  private void overrides(Rule rule, @Nullable Tiers tiers, JsonObject json) {
    List<CallerOverride> overrides = new ArrayList<>(rule.overrides());
    if (tiers != null) {
      overrides.addAll(tiers.table());
    }
    int shown = Math.min(room, overrides.size());
    room -= shown;
    JsonArray list = new JsonArray();
    for (CallerOverride override : overrides.subList(0, shown)) {
      JsonObject one =
          new JsonObject().put("for", conditions(new TreeMap<>(override.callers()).values()));
      if (override.entitlement() instanceof Allowance own) {
        one.put("allowance", allowance(own));
        String tier = tiers == null ? null : tierOf(own, tiers);
        list.add(tier == null ? one : one.put("tier", tier));
      } else {
        list.add(one.put("multiple", override.entitlement().toString()));
      }
    }
    json.put("overrides", list).put("overridesOmitted", overrides.size() - shown);
  }

  /** A caller that is listed under a tier has the same allowance object as that tier. */
  @SuppressWarnings("ReferenceEquality")
  private static @Nullable String tierOf(Allowance allowance, Tiers tiers) {
    for (Map.Entry<String, Allowance> tier : tiers.tiers().entrySet()) {
      if (tier.getValue() == allowance) {
        return tier.getKey();
      }
    }
    return null;
  }

  private static JsonArray conditions(Collection<Condition> conditions) {
    JsonArray list = new JsonArray();
    for (Condition condition : conditions) {
      list.add(
          new JsonObject().put("value", condition.name()).put("expected", condition.expected()));
    }
    return list;
  }

  private static JsonObject allowance(Allowance allowance) {
    JsonObject json = new JsonObject().put("blocked", allowance.blocked());
    return json.put("unlimited", !allowance.blocked() && allowance.limits().isEmpty())
        .put("limits", limits(allowance));
  }

  private static JsonArray limits(Allowance allowance) {
    JsonArray limits = new JsonArray();
    allowance.limits().forEach(limit -> limits.add(DecisionJson.limit(limit)));
    return limits;
  }

  private static JsonObject cost(Cost cost) {
    JsonObject json = new JsonObject().put("otherwise", cost.defaultCost());
    return cost.value() == null ? json : json.put("from", cost.value()).put("max", cost.maxCost());
  }

  /** A whole number where it is one. */
  private static Number percent(int enforced) {
    int whole = Rule.WHOLE / 100;
    return enforced % whole == 0 ? (Number) (enforced / whole) : enforced / (double) whole;
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
