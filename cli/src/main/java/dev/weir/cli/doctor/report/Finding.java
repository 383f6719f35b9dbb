package dev.weir.cli.doctor.report;

/**
 * The result of one check.
 *
 * @param subject the rule; or what else was checked
 * @param evidence what was sent and what came; or why nothing is proved
 */
public record Finding(Check check, String subject, Verdict verdict, String evidence) {}
