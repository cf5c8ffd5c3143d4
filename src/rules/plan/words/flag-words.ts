/** What the flags of a phase mean, in words. */

const flags: Record<string, string> = {
  amended: 'amended after a review or a check',
  amendment_missing: 'the architect could not amend it: every point is carried as a risk',
  assets_missing: 'the assets could not be created',
  consensus_skipped: 'no panel member answered: there is no score',
  context_cut: 'earlier results did not all fit into the prompts',
  consistency_unchecked: 'the documents could not be compared with each other',
  contradictory: 'the plan contradicts itself; the contradictions are carried as risks',
  contradictions_missing: 'contradictions and gaps could not be collected',
  contradicts_settled_decision: 'a decision contradicts an earlier one; the earlier one stands',
  debate_incomplete: 'the debate is incomplete: an agent did not answer',
  deep_thinking_skipped: 'deep thinking was skipped',
  degraded: 'part of it could not be done as planned',
  deliberation_fell_back_to_light: 'the second round would have been too long: gaps were collected instead',
  dependencies_mended: 'invalid dependencies were corrected',
  unknown_reference: 'a reference names nothing',
  unread_items: 'some items could not be read',
  findings_not_weighed: 'nobody weighed the findings against the design: they stand as they were rated',
  documentation_joined: 'issues that only write documentation are part of the work they describe',
  issues_by_rule: 'the issues were created by rule, without an agent',
  low_specify_score: 'the request stayed unclear: later phases are stricter',
  numbers_mended: 'issues with the same number were renumbered',
  paths_mended: 'invalid paths in issues were corrected',
  preset_fell_back: 'not the team that was requested',
  red_overridden: 'the panel scored it RED and the plan continued anyway',
  red_team_given_up: 'the debate was abandoned after repeated failures',
  research_degraded: 'research is incomplete',
  review_overridden: 'critical findings were overridden',
  review_skipped: 'the expert review was skipped: nobody has reviewed the design',
  round_two_incomplete: 'the second round is incomplete',
  rubric_yellow: 'the panel passed it with reservations',
  run_again_alone: 'it failed in parallel with another phase and was re-run alone',
  shared_gap: 'two members of the panel name the same gap',
  single_agent_plays_quick: 'a single agent cannot take several perspectives',
  specify_not_passed: 'the request did not pass the specify gate',
  specify_unscored: 'the request could not be scored',
  summary_rebuilt: 'its summary was lost and rebuilt from the document',
  synthesis_missing: 'the views were not merged; they are listed side by side',
  threshold_relaxed: 'it passed with fewer points than usual, because research is incomplete',
  unstructured_challenge: 'the challenge was plain text, not a list of flaws',
  unstructured_synthesis: 'the result was plain text: its decisions are unknown',
}

/** An unknown flag is shown by its name, with spaces. */
export function flagLabel(flag: string): string {
  return Object.hasOwn(flags, flag) ? flags[flag]! : flag.replaceAll('_', ' ')
}
