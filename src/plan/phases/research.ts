/** Phase 2: gathers facts about the project, then what they mean for this request. */

import { riskSigns } from '../../rules/plan/risk.ts'
import type { RiskCategory } from '../../rules/plan/risk-words.ts'
import { addFlags, type Phase } from '../plan.ts'
import { describeFacts } from '../project-facts.ts'
import type { PhaseResult } from '../team/phase-result.ts'
import { teamResult, workTogether } from '../team/teamwork.ts'

export async function research(phase: Phase): Promise<PhaseResult> {
  const { plan } = phase
  if (!plan.facts.repository) addFlags(phase, 'research_degraded')
  const work = await workTogether(phase, {
    task: 'Find out what this request means for the project as it is: which files and modules are affected, what exists that can be used, which constraints the code and its conventions set, what is unknown.',
    acceptance: ['Affected files are named, as far as they can be known', 'Facts and guesses are told apart'],
    headings: ['Findings', 'Affected files', 'Constraints', 'Unknown'],
  })
  const { synthesis, missing } = work
  if (missing.length > 0 || phase.summaryFlags.includes('degraded')) addFlags(phase, 'research_degraded')
  plan.signals = {
    security_keywords: securityWords(`${plan.input.goal}\n${synthesis.artefact}`),
    ...(synthesis.files_affected.length > 0 ? { files_affected: new Set(synthesis.files_affected).size } : {}),
  }
  const { found: _found, absent: _absent, ...result } = teamResult(phase, 'Research', work)
  return { ...result, body: `## Facts\n\n${describeFacts(plan.facts)}\n\n${result.body}` }
}

/** ST3: counts access, privacy and money as security; production access and destructive data changes are not. */
const telling: readonly RiskCategory[] = ['security-critical', 'sensitive-data', 'billing-external-api']

function securityWords(text: string): number {
  const signs = riskSigns(text)
  return telling.reduce((count, category) => count + (signs.get(category)?.length ?? 0), 0)
}
