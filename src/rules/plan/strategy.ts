/** Decides how a phase's agents work together, from phase, mode, flags and signals. SPEC.md § ST. */
import { z } from 'zod'
import type { Rule } from '../schema/rule.ts'
import { type FlagSet, flagOverridesSchema, resolveFlags } from './feature-flags.ts'
import { type Mode, modes } from './mode.ts'
import { type PhaseId, phaseById, phaseIdSchema, phaseIds } from './phase-table.ts'
import { isStricter, type Strategy, type StrategyTable, strategyRounds, strategyTable } from './strategy-table.ts'

/** Findings of earlier phases. An unknown count is absent and gives no signal. */
export interface StrategySignals {
  security_keywords?: number
  files_affected?: number
  open_questions?: number
  specify_score?: number
}

export interface StrategyLimits {
  /** This many security words call for red_team. */
  security_keywords: number
  /** Up to this many files and no open question call for quick. */
  files_affected: number
  /** Below this specify score, phase 4 plays at least perspectives. */
  specify_score: number
  /** Below this, later phases do so too (SG2). */
  low_specify_score: number
}

export interface StrategyChoice {
  strategy: Strategy | null
  /** 0 if the phase has no strategy. */
  rounds: number
  /** Why signals changed the table's strategy; goes into the phase summary. */
  override?: string
}

export const defaultStrategyLimits: StrategyLimits = {
  security_keywords: 2,
  files_affected: 3,
  specify_score: 7,
  low_specify_score: 6,
}

export function chooseStrategy(
  phase: PhaseId,
  mode: Mode,
  flags: FlagSet,
  signals: StrategySignals = {},
  limits: StrategyLimits = defaultStrategyLimits,
  table: StrategyTable = strategyTable,
): StrategyChoice {
  const planned = table.get(phase)?.[mode]
  if (!planned) return { strategy: null, rounds: 0 }
  if (!flags.has('s9_multi_strategy')) return play('quick') // ST4: ignores table and signals

  const signal = strictest(signalsThatHold(phase, signals, limits))
  const called = signal ? heed(signal, planned) : planned
  const strategy = called === 'perspectives' && !flags.has('s7_mpa_deliberation') ? 'quick' : called // ST4
  if (!signal || called === planned || strategy !== called) return play(strategy)

  const verb = isStricter(called, planned) ? 'Raised' : 'Lowered'
  return play(strategy, `${verb} from ${planned} to ${called}: ${signal.because}.`)
}

/** A reason for a strategy: it sets the strategy, or only a minimum. */
export interface StrategySignal {
  strategy: Strategy
  effect: 'set' | 'at_least'
  because: string
}

/** The signals that hold for a phase: in phase 4 those of ST3, later only a low score (SG2). */
export function signalsThatHold(phase: PhaseId, signals: StrategySignals, limits: StrategyLimits): StrategySignal[] {
  if (phase === '4') {
    return [
      ...securitySignal(signals, limits),
      ...smallnessSignal(signals, limits),
      ...unclearSignal(signals, limits.specify_score),
    ]
  }
  return isAfterClarification(phase) ? unclearSignal(signals, limits.low_specify_score) : []
}

function securitySignal({ security_keywords: count }: StrategySignals, limits: StrategyLimits): StrategySignal[] {
  if (count === undefined || count < limits.security_keywords) return []
  return [{ strategy: 'red_team', effect: 'set', because: `${counted(count, 'security word')} in the research` }]
}

function smallnessSignal(signals: StrategySignals, limits: StrategyLimits): StrategySignal[] {
  const { files_affected: files, open_questions: questions } = signals
  if (files === undefined || files > limits.files_affected || questions !== 0) return []
  return [{ strategy: 'quick', effect: 'set', because: `${counted(files, 'file')} affected and no open question` }]
}

function unclearSignal({ specify_score: score }: StrategySignals, threshold: number): StrategySignal[] {
  if (score === undefined || score >= threshold) return []
  return [{ strategy: 'perspectives', effect: 'at_least', because: `specify score ${score} of 10` }]
}

function isAfterClarification(phase: PhaseId): boolean {
  return phaseIds.indexOf(phase) > phaseIds.indexOf('3')
}

function strictest(holding: StrategySignal[]): StrategySignal | undefined {
  return holding.reduce<StrategySignal | undefined>(
    (best, signal) => (!best || isStricter(signal.strategy, best.strategy) ? signal : best),
    undefined,
  )
}

function heed(signal: StrategySignal, planned: Strategy): Strategy {
  if (signal.effect === 'set') return signal.strategy
  return isStricter(signal.strategy, planned) ? signal.strategy : planned
}

function play(strategy: Strategy, override?: string): StrategyChoice {
  return { strategy, rounds: strategyRounds[strategy].length, ...(override ? { override } : {}) }
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

const wholeCount = z.number().int().nonnegative()
/** A count or a list; null is unknown. */
const countOf = (count: (list: unknown[]) => number) =>
  z.preprocess((value) => (Array.isArray(value) ? count(value) : (value ?? undefined)), wholeCount.optional())
const countOrList = countOf((list) => list.length)
const countOrWords = countOf(distinctWords)

/** A repeated word counts once. */
function distinctWords(list: unknown[]): number {
  const words = list.flatMap((word) => (typeof word === 'string' ? [word.trim().toLowerCase()] : []))
  return new Set(words.filter((word) => word !== '')).size
}

const strategyInput = z.object({
  phase: phaseIdSchema,
  mode: z.enum(modes),
  flags: flagOverridesSchema.optional(),
  signals: z
    .object({
      security_keywords: countOrWords,
      files_affected: countOrList,
      open_questions: countOrList,
      specify_score: z.preprocess((value) => value ?? undefined, z.number().min(0).max(10).optional()),
    })
    .optional(),
  limits: z
    .strictObject({
      security_keywords: wholeCount.default(defaultStrategyLimits.security_keywords),
      files_affected: wholeCount.default(defaultStrategyLimits.files_affected),
      specify_score: z.number().min(0).max(10).default(defaultStrategyLimits.specify_score),
      low_specify_score: z.number().min(0).max(10).default(defaultStrategyLimits.low_specify_score),
    })
    .prefault({}),
})

export type StrategyInput = z.infer<typeof strategyInput>

export const rule: Rule<StrategyInput, StrategyChoice> = {
  name: 'strategy',
  input: strategyInput,
  decide: ({ phase, mode, flags, signals, limits }) =>
    chooseStrategy(phase, mode, resolveFlags(mode, flags), signals, limits),
  explain,
}

function explain({ phase, mode, flags, signals, limits }: StrategyInput, output: StrategyChoice): string {
  const title = `Phase ${phase} (${phaseById(phase).name}), ${mode} mode`
  if (!output.strategy) return `${title}: no strategy; no team of agents works on it [ST2]`

  const lines = [`${title}: ${output.strategy}, ${counted(output.rounds, 'round')} [ST1]`]
  lines.push(`  rounds: ${strategyRounds[output.strategy].map((round) => round.name).join(', then ')}`)
  const on = resolveFlags(mode, flags)
  if (!on.has('s9_multi_strategy')) {
    lines.push(`  multi-strategy is off${whyOff(mode, on, flags)}, so every phase plays quick [ST4]`)
    return lines.join('\n')
  }
  lines.push(`  the table says ${strategyTable.get(phase)![mode]} [ST2]`)
  for (const signal of signalsThatHold(phase, signals ?? {}, limits)) {
    const effect = signal.effect === 'set' ? '' : 'at least '
    lines.push(`  signal: ${signal.because}, so ${effect}${signal.strategy} [${phase === '4' ? 'ST3' : 'SG2'}]`)
  }
  if (output.override) lines.push(`  ${output.override}`)
  return lines.join('\n')
}

function whyOff(mode: Mode, on: FlagSet, overrides: StrategyInput['flags']): string {
  if (mode === 'rapid' || mode === 'standard') return ` in ${mode} mode`
  if (overrides?.s9_multi_strategy === false) return ' because it was turned off'
  const missing = (['s7_mpa_deliberation', 's8_convergence_detection'] as const).filter((name) => !on.has(name))
  return ` because it needs ${missing.join(' and ')}`
}
