/** Phase 1: the request as it was made, what it touches, and what it will take. No model is asked. */
import { quoted } from '../artefacts.ts'
import type { PhaseResult } from '../phase-result.ts'
import type { Phase } from '../plan.ts'

export async function setup({ plan }: Phase): Promise<PhaseResult> {
  const { input, risk, team } = plan
  const body = [
    '## Request',
    quoted(input.goal),
    '## How it is planned',
    `- Mode: ${input.mode}`,
    `- Team: ${team.preset}`,
    `- Risk: ${risk.flags.join(', ') || 'none found'}`,
    ...team.warnings.map((warning) => `- Note: ${warning}`),
  ].join('\n\n')
  return {
    title: 'Specification',
    body: body.replace(/\n\n- /g, '\n- ').replace('planned\n-', 'planned\n\n-'),
    text: `Planned in ${input.mode} mode with the ${team.preset} team.`,
    decisions: [],
    questions: [],
    risks: [],
    more: { risk_flags: [...risk.flags], preset: team.preset, mode: input.mode },
  }
}
