/** Labels and tones for runs. */
import { phaseById, phaseIdSchema } from '../../../../src/rules/plan/phase-table.ts'
import type { Floor } from '../../../../src/runs/overview-lines.ts'
import type { Tone } from '../../ui/chip.tsx'

const kinds: Record<string, string> = {
  'room.answer': 'answer',
  'room.session': 'collaboration',
  'room.summary': 'summary of a room',
  'room.agent-message': 'agent message',
  plan: 'plan',
  'plan.phase': 'phase',
  build: 'build',
  'build.node': 'node',
  compare: 'comparison',
  ship: 'ship',
  'feature.run': 'issue loop',
  'feature.issue': 'issue',
}

export const kindLabel = (kind: string) => kinds[kind] ?? (kind === '' ? 'run' : kind)

const statuses: Record<string, { word: string; tone: Tone }> = {
  running: { word: 'running', tone: 'live' },
  interrupted: { word: 'interrupted', tone: 'warn' },
  waiting: { word: 'waiting for you', tone: 'warn' },
  done: { word: 'done', tone: 'ok' },
  failed: { word: 'failed', tone: 'bad' },
  cancelled: { word: 'cancelled', tone: 'plain' },
  stopped: { word: 'stopped', tone: 'plain' },
  'needs-attention': { word: 'needs attention', tone: 'warn' },
}

export const statusLabel = (status: string) => statuses[status] ?? { word: status, tone: 'plain' as const }

export const isOn = (status: string) => status === 'running' || status === 'waiting'
/** Stopped or parked, and can be resumed. */
export const isHalted = (status: string) => ['stopped', 'interrupted', 'needs-attention'].includes(status)

export const floorLabel: Record<Floor, string> = {
  room: 'Room',
  plan: 'Plan',
  build: 'Build',
  ship: 'Ship',
  other: 'Other',
}

const reasons: Record<string, string> = {
  'call repeated': 'call retried',
  'call interrupted': 'call interrupted',
  nudged: 'nudged: no output',
  'issue tried again': 'issue retried',
  'plan sent back': 'plan sent back',
  'breaker tripped': 'breaker tripped',
}

/** `failed rate-limited`, `refused VF4`: what was retried, and why. */
export function retryLabel(name: string): string {
  const [what, ...rest] = name.split(' ')
  const reason = rest.join(' ')
  if (what === 'failed') return `call failed: ${reason}`
  if (what === 'refused') return `reply refused: ${reason}`
  return reasons[name] ?? name
}

/** A phase of a plan by its name. */
export function phaseLabel(phase: string): string {
  const id = phaseIdSchema.safeParse(phase)
  return id.success ? phaseById(id.data).name : `phase ${phase}`
}

/** The last part tells runs of one tree apart. */
export function shortRun(run: string): string {
  const last = run.split('/').at(-1)!
  return last.replace(/([0-9a-f]{8})-[0-9a-f-]{20,}/, '$1')
}
