/** Phase 1: records the request, its risks and its estimate. Asks no model. */
import { oneLine } from '../../rules/text/one-line.ts'
import { quoted } from '../artefacts.ts'
import { addFlags, type Phase } from '../plan.ts'
import type { PhaseResult } from '../team/phase-result.ts'
import { bullets } from '../wording.ts'

export async function setup(phase: Phase): Promise<PhaseResult> {
  const { input, risk, warnings } = phase.plan
  const { preset } = phase.settings.team
  if (warnings.length > 0) addFlags(phase, 'preset_fell_back')
  const how = [
    `Mode: ${input.mode}${input.sizing ? ` (${input.sizing})` : ''}`,
    `Team: ${preset}`,
    ...(phase.settings.lenses ?? []).map(([role, lens]) => `Own role: ${role} (${oneLine(lens, 200)})`),
    `Risk: ${risk.flags.join(', ') || 'none found'}`,
    ...warnings.map((warning) => `Note: ${warning}`),
  ]
  const heard = (input.heard ?? []).map(({ agent, text }) => `**${agent}**\n\n${quoted(text)}`)
  const said = heard.length > 0 ? ['## Said in the room', ...heard] : []
  return {
    title: 'Specification',
    body: ['## Request', quoted(input.goal), ...said, '## How it is planned', bullets(how)].join('\n\n'),
    text: `Planned in ${input.mode} mode with the ${preset} team.`,
    decisions: [],
    questions: [],
    risks: [],
    more: { risk_flags: [...risk.flags], preset, mode: input.mode },
  }
}
