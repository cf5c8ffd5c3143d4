/** Phases 7 and 8b: how it will be tested, and what the tests need. */
import { askMember } from '../ask-member.ts'
import { decisionSection, fromSynthesis, type PhaseResult, strategyFields } from '../phase-result.ts'
import { note, type Phase } from '../plan.ts'
import { readSynthesis } from '../replies.ts'
import { castOf, insist, workTogether } from '../teamwork.ts'

export async function testStrategy(phase: Phase): Promise<PhaseResult> {
  const again = phase.plan.guidance ? `\nThis is done again, because: ${phase.plan.guidance}` : ''
  const work = await workTogether(phase, castOf(phase), {
    task: `Plan the tests: which tests prove each criterion, on which level, with which data, in which order; tests come before code.${again}`,
    acceptance: ['Every criterion of the request has at least one test', 'Each test says what would make it fail'],
    headings: ['Approach', 'Tests by criterion', 'Edge cases', 'Data and environment'],
  })
  const found = fromSynthesis('7', work.synthesis, phase.pass)
  const agreement = work.agreement ? `## Agreement\n\n${work.agreement}` : ''
  return {
    title: 'Test plan',
    body: [work.synthesis.artefact, agreement, decisionSection(found)].filter(Boolean).join('\n\n'),
    text: work.synthesis.summary || work.synthesis.artefact.slice(0, 800),
    ...found,
    ...(work.ask ? { ask: work.ask } : {}),
    more: strategyFields(work.choice),
  }
}

export async function assets(phase: Phase): Promise<PhaseResult> {
  const answer = await insist(phase, () =>
    askMember(phase, {
      kind: 'phase',
      agent: phase.plan.around.coordinator(),
      round: 1,
      task: 'List what the tests need that does not exist yet: fixtures, fake services, sample data, scripts, environments; and who or what makes each.',
      acceptance: ['Every asset names the tests that need it'],
      form: 'a synthesis',
    }),
  )
  if (!answer) note(phase, 'degraded')
  const synthesis = readSynthesis(
    answer?.text ?? JSON.stringify({ artefact: 'No assets were listed: the call failed.' }),
  )
  const found = fromSynthesis('8b', synthesis, phase.pass)
  return {
    title: 'Test assets',
    body: [synthesis.artefact, decisionSection(found)].filter(Boolean).join('\n\n'),
    text: synthesis.summary || synthesis.artefact.slice(0, 800),
    ...found,
    ...(answer ? { ask: answer.ask } : {}),
  }
}
