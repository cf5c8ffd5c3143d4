/** Phase 4: the design, with as many perspectives as the mode asks for. */

import type { Phase } from '../plan.ts'
import { decisionSection, type PhaseResult } from '../team/phase-result.ts'
import { teamResult, workTogether } from '../team/teamwork.ts'
import { requestSection } from './plan-in-short.ts'

export async function architecture(phase: Phase): Promise<PhaseResult> {
  const { guidance } = phase.plan
  const work = await workTogether(phase, {
    task: `Design how the request is met: components and their borders, interfaces, data, the order of work, and what stays untouched.${guidance ? `\nThis is done again. ${guidance}` : ''}`,
    acceptance: [
      'One option is recommended, with its trade-offs against the next best',
      'Every interface is given as a signature or a type with its file, and says whether it exists or is new',
      'Where three or more parts work together, a Mermaid diagram shows how; otherwise there is none',
    ],
    headings: ['Approach', 'Components', 'Interfaces', 'Order of work', 'Alternatives'],
  })
  const { found, absent, ...result } = teamResult(phase, 'Design', work)
  const summary = work.synthesis.summary || 'See [design.md](design.md).'
  const whole = '_The whole design is in [design.md](design.md)._'
  const body = [requestSection(phase.plan.input.goal), '## Outcome', summary, absent, whole, decisionSection(found)]
  return { ...result, also: { 'plan.md': { title: 'Plan', body: body.filter(Boolean).join('\n\n') } } }
}
