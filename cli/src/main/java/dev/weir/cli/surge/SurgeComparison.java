package dev.weir.cli.surge;

/**
 * Both runs of a surge.
 *
 * @param settings what both were offered
 * @param bare the service without protection
 * @param limited the service behind Weir
 */
record SurgeComparison(SurgeSettings settings, SurgeRun bare, SurgeRun limited) {}
