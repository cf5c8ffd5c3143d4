/** PR5: which rulebook a peer decides by. */
import type { DispatchLimits } from '../room/dispatch-limits.ts'
import type { Proposals } from '../room/proposal.ts'
import { decideRound, planRound } from '../room/round.ts'

/** Raise it when the rules lead to another decision for inputs that are not among the probes. */
const edition = 2

/**
 * Peers with the same name decide alike: the rules, known by what they decide for the probes, and the limits they are given.
 * `override` replaces it, so that tests can stand for another release.
 */
export function rulebookName(limits: DispatchLimits, override?: string): string {
  if (override?.trim()) return override.trim()
  const given = Object.entries(limits).sort(([one], [other]) => (one < other ? -1 : 1))
  return `${edition}-${fingerprint(decisionIn, limits)} ${given.map(([name, value]) => `${name}=${value}`).join(' ')}`
}

/** Whether peers known by these rulebooks would decide alike. */
export function isOneRulebook(names: readonly string[]): boolean {
  return new Set(names).size <= 1
}

type Decide = (message: string, proposals: Proposals, limits: DispatchLimits) => string

/** The same for rules that decide alike for every probe. FNV-1a; it guards against releases, not against forgers. */
export function fingerprint(decide: Decide, limits: DispatchLimits): string {
  let hash = 0x811c9dc5
  for (const message of probes.messages)
    for (const proposals of probes.proposals)
      for (const character of decide(message, proposals, limits))
        hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}

export function decisionIn(text: string, proposals: Proposals, limits: DispatchLimits): string {
  const spoke = ['you', probes.agents[0]!]
  const plan = planRound({ message: { id: '', text }, agents: probes.agents, lastResponder: spoke[1], spoke, limits })
  const { mode, rule, responders } = decideRound(plan, proposals, undefined, limits)
  return JSON.stringify([mode, rule, responders])
}

const proposal = (confidence: number, angle: string, more: object = {}) => ({
  angle,
  confidence,
  covers: [angle],
  solo_sufficient: false,
  ...more,
})

const probes = {
  agents: ['claude', 'gpt', 'mistral'],
  messages: [
    'How should the parser treat an empty line?',
    'ok',
    '@gpt what do you think?',
    'gpt, what do you think?',
    'Each of you: name one risk.',
    'What do all of you say about both tables?',
    'Write it, then have someone check it.',
    'What did claude miss?',
    'Is that right? I want a second opinion.',
    'Jeder bitte in einem Satz: was spricht dagegen?',
    'Was meint ihr beide dazu?',
    'Chacun de vous : un risque.',
    'Cada uno: un riesgo.',
  ],
  proposals: [
    { claude: proposal(0.9, 'speed'), gpt: proposal(0.4, 'speed'), mistral: proposal(0.1, 'cost') },
    { claude: proposal(0.8, 'speed'), gpt: proposal(0.75, 'cost'), mistral: proposal(0.7, 'safety') },
    { claude: proposal(0.8, 'speed', { builds_on_other: true }), gpt: proposal(0.9, 'speed') },
    { claude: proposal(0.6, 'speed'), gpt: proposal(0.6, 'speed', { solo_sufficient: true }) },
    { gpt: proposal(0.2, 'speed'), mistral: proposal(0.2, 'cost') },
    {},
  ] as Proposals[],
}
