/** Explains a round: the rule and its steps, confidence, proposals, and who was missing. */
import { decisionWords } from '../../../../src/rules/room/dispatch-decision.ts'
import { Section } from '../../ui/section.tsx'
import type { Decision } from '../conversation/conversation-types.ts'
import { becauseOf, ruleId } from '../conversation/decision-labels.ts'
import { Confidence } from './confidence.tsx'
import { Overlap } from './overlap.tsx'
import { Proposals } from './proposals.tsx'
import { RuleSteps } from './rule-steps.tsx'

export function DecisionWhy({ decision }: { decision: Decision }) {
  const id = ruleId(decision)
  const proposed = Object.keys(decision.proposals).length
  return (
    <>
      <div className="rounded-lg bg-sunken px-2.5 py-2 text-small">
        <b className="font-semibold">
          {id ? `${id} · ` : ''}
          {decision.override ? 'your override' : decision.rule.replaceAll('_', ' ')}.
        </b>{' '}
        {decision.reason || becauseOf(decision)}
        {decision.override && decision.rule !== 'override'
          ? ` The rule alone would have applied “${decision.rule.replaceAll('_', ' ')}”${inWords(decision.rule)}.`
          : ''}
      </div>
      <RuleSteps decision={decision} />
      {proposed > 0 || decision.missing.length > 0 ? (
        <Section title="Confidence">
          <Confidence decision={decision} />
        </Section>
      ) : null}
      <Overlap decision={decision} />
      {proposed > 0 ? (
        <Section title="Proposals">
          <Proposals decision={decision} />
        </Section>
      ) : null}
    </>
  )
}

/** The name of a rule alone rarely says what it means. */
function inWords(rule: string): string {
  const words = decisionWords[rule]
  return words === undefined ? '' : ` (${words})`
}
