/** Phase 2: facts about the project first, then what they mean for this request. */
import { riskSigns } from '../../rules/risk.ts'
import { decisionSection, fromSynthesis, type PhaseResult, strategyFields } from '../phase-result.ts'
import { note, type Phase } from '../plan.ts'
import { describeFacts } from '../project-facts.ts'
import { castOf, workTogether } from '../teamwork.ts'

export async function research(phase: Phase): Promise<PhaseResult> {
  const { plan } = phase
  if (!plan.facts.repository) note(phase, 'research_degraded')
  const team = castOf(phase)
  const work = await workTogether(phase, team, {
    task: 'Find out what this request means for the project as it is: which files and modules are affected, what exists that can be used, which constraints the code and its conventions set, what is unknown.',
    acceptance: ['Affected files are named, as far as they can be known', 'Facts and guesses are told apart'],
    headings: ['Findings', 'Affected files', 'Constraints', 'Unknown'],
  })
  if (work.members.length < work.expected) note(phase, 'research_degraded')
  const found = fromSynthesis('2', work.synthesis, phase.pass)
  plan.signals = {
    ...plan.signals,
    files_affected: work.synthesis.files_affected.length > 0 ? work.synthesis.files_affected.length : undefined,
    open_questions: found.questions.length,
    security_keywords: securityWords(`${plan.input.goal}\n${work.synthesis.artefact}`),
  }
  const body = [
    '## Facts',
    describeFacts(plan.facts),
    work.synthesis.artefact,
    work.agreement ? `## Agreement\n\n${work.agreement}` : '',
    decisionSection(found),
  ]
  return {
    title: 'Research',
    body: body.filter(Boolean).join('\n\n'),
    text: work.synthesis.summary || work.synthesis.artefact.slice(0, 800),
    ...found,
    ...(work.ask ? { ask: work.ask } : {}),
    more: strategyFields(work.choice),
  }
}

function securityWords(text: string): number {
  return riskSigns(text).get('security-critical')?.length ?? 0
}
