/** Phases 7 and 8b: the test strategy, and the assets the tests need. */
import { closeFences } from '../artefacts.ts'
import { addFlags, type Phase } from '../plan.ts'
import { readSynthesis } from '../replies.ts'
import { askMember } from '../team/ask-member.ts'
import { decisionSection, fromSynthesis, type PhaseResult } from '../team/phase-result.ts'
import { askCoordinator } from '../team/synthesise.ts'
import { teamResult, workTogether } from '../team/teamwork.ts'

export async function testStrategy(phase: Phase): Promise<PhaseResult> {
  const { guidance } = phase.plan
  const work = await workTogether(phase, {
    task: `Plan the tests: which tests prove each criterion, on which level, with which data, in which order; tests come before code.${guidance ? `\nThis is done again. ${guidance}` : ''}`,
    acceptance: [
      'Every criterion of the request has at least one test',
      'Each test is a row with an id (T1, T2 …): criterion, level, file, what it checks, what would make it fail',
    ],
    headings: ['Approach', 'Tests by criterion', 'Edge cases', 'Data and environment'],
  })
  const { found: _found, absent: _absent, ...result } = teamResult(phase, 'Test plan', work)
  return result
}

export async function assets(phase: Phase): Promise<PhaseResult> {
  const answer = await askCoordinator(phase, () =>
    askMember(phase, {
      kind: 'phase',
      agent: phase.settings.staff.coordinator,
      round: 1,
      task: 'List what the tests need that does not exist yet: fixtures, fake services, sample data, scripts, environments; and who or what makes each.',
      acceptance: ['Every asset names the tests that need it'],
      form: 'a synthesis',
    }),
  )
  if (!answer) addFlags(phase, 'degraded', 'assets_missing')
  const nothing = JSON.stringify({ artefact: 'No assets were listed: the call failed.' })
  const synthesis = readSynthesis(answer?.text ?? nothing)
  const found = fromSynthesis(phase, synthesis, answer?.ask)
  return {
    title: 'Test assets',
    body: [closeFences(synthesis.artefact), decisionSection(found)].filter(Boolean).join('\n\n'),
    text: synthesis.summary || synthesis.artefact.slice(0, 800),
    ...found,
  }
}
