/** Phase 5: examines the assumptions behind the design. Skipped with a flag if it fails twice. */
import { isOpen } from '../../rules/plan/breaker.ts'
import { closeFences } from '../artefacts.ts'
import { addFlags, countFailure, countSuccess, type Phase } from '../plan.ts'
import { readSynthesis } from '../replies.ts'
import { askMember } from '../team/ask-member.ts'
import { decisionSection, fromSynthesis, type PhaseResult } from '../team/phase-result.ts'

export async function deepThinking(phase: Phase): Promise<PhaseResult> {
  const { plan } = phase
  while (!isOpen(plan.breakers, 'deep_thinking')) {
    const answer = await askMember(phase, {
      kind: 'phase',
      agent: phase.settings.staff.coordinator,
      round: 1,
      task: 'Think the design through to the end: which assumptions does it rest on, what follows if each is wrong, where will it hurt in a year, and what would you change now because of that?',
      acceptance: ['Every assumption says how it could be checked'],
      form: 'a synthesis',
    })
    if (answer.ok) {
      countSuccess(phase, 'deep_thinking')
      const synthesis = readSynthesis(answer.text)
      const found = fromSynthesis(phase, synthesis, answer.ask)
      return {
        title: 'Deep thinking',
        body: [closeFences(synthesis.artefact), decisionSection(found)].filter(Boolean).join('\n\n'),
        text: synthesis.summary || synthesis.artefact.slice(0, 800),
        ...found,
      }
    }
    await countFailure(phase, 'deep_thinking')
  }
  addFlags(phase, 'degraded', 'deep_thinking_skipped')
  const text = 'This phase was skipped because its call failed too often. The plan continues with the design alone.'
  return {
    title: 'Deep thinking',
    body: text,
    text,
    decisions: [],
    questions: [],
    risks: [],
    more: { status: 'skipped' },
  }
}
