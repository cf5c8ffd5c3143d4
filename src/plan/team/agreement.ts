/** Measures how far a team agrees and describes it. CV. */
import type { AlignedPositions, AlignedQuestion } from '../../rules/convergence/align.ts'
import {
  type ConvergenceLevel,
  convergence,
  type VerdictLimits,
  verdictOf,
} from '../../rules/convergence/convergence.ts'
import { type Position, tally } from '../../rules/convergence/positions/position.ts'
import { convergenceMeasured } from '../events.ts'
import { addFlags, emit, eventHeader, type Phase } from '../plan.ts'
import { cell, counted, turnout } from '../wording.ts'
import { alignPositions } from './align.ts'
import type { Member } from './ask-members.ts'
import type { TeamOutput } from './teamwork.ts'

export interface Measured {
  verdict: ConvergenceLevel | 'ambiguous' | null
  /** Questions on which two stated options conflict. */
  conflicts: AlignedQuestion[]
  /** Markdown. */
  section: string
}

export const notMeasured: Measured = { verdict: null, conflicts: [], section: '' }

export async function measure(phase: Phase, output: TeamOutput): Promise<Measured> {
  const { plan, run, flags, id, settings } = phase
  const { members, expected, missing, round } = output
  if (!flags.has('s8_convergence_detection')) return notMeasured
  const positions = positionsOf(members)
  const found = convergence(
    members.map(({ output }) => output.text),
    positions,
    settings.convergence,
  )
  const aligned = 'skipped' in found ? null : await alignPositions(phase, positions)
  const sorted = aligned ?? asText(positions)
  const score = aligned ? aligned.agreement : found.positions.score
  const verdict = aligned
    ? aligned.agreement === null
      ? null
      : verdictOf(null, aligned.agreement, settings.convergence)
    : found.verdict
  if ('skipped' in found && found.degraded) addFlags(phase, 'degraded')
  const skipped =
    'skipped' in found ? found.skipped : verdict === null ? 'no two agents speak to one question' : undefined
  await emit(
    run,
    convergenceMeasured.create(eventHeader(plan, run), {
      phase: id,
      round,
      score: found.score,
      agreement_ratio: found.agreement_ratio,
      stability: found.stability,
      positions: score,
      verdict,
      ...(skipped === undefined ? {} : { skipped }),
      stands: standsOf(sorted),
      aligned: aligned !== null,
      answered: members.length,
      expected,
      missing,
      limits: limitsOf(settings.convergence),
    }),
  )
  const how = { ...found, score, verdict, skipped, sorted, isAligned: aligned !== null }
  return {
    verdict,
    conflicts: sorted.conflicts,
    section: settings.showsAgreement ? describe(how, output) : '',
  }
}

function positionsOf(members: readonly Member[]): Position[] {
  return members.flatMap(({ role, output }) => output.positions.map((one) => ({ agent: role, ...one })))
}

/** The fallback: questions and choices compared by their words. */
function asText(positions: readonly Position[]): Omit<AlignedPositions, 'agreement'> {
  const questions = tally(positions).map(({ question, votes }) => ({
    question,
    options: votes.map(({ choice, agents }) => ({ choice, agents })),
  }))
  const agentsOf = ({ options }: AlignedQuestion) => new Set(options.flatMap(({ agents }) => agents)).size
  return {
    agreed: questions.filter((one) => one.options.length === 1 && agentsOf(one) > 1),
    conflicts: questions.filter((one) => one.options.length > 1),
    alone: questions
      .filter((one) => agentsOf(one) === 1)
      .map(({ question, options: [only] }) => ({ question, choice: only!.choice, agent: only!.agents[0]! })),
  }
}

type Sorted = Omit<AlignedPositions, 'agreement'>

function standsOf({ agreed, conflicts, alone }: Sorted) {
  const of = (kind: 'agreed' | 'conflict', questions: readonly AlignedQuestion[]) =>
    questions.flatMap(({ question, options }) =>
      options.map(({ choice, agents, follows }) => {
        return { question, choice, roles: agents, kind, ...(follows ? { follows } : {}) }
      }),
    )
  return [
    ...of('agreed', agreed),
    ...of('conflict', conflicts),
    ...alone.map(({ agent, question, choice }) => ({ question, choice, roles: [agent], kind: 'alone' as const })),
  ]
}

function describe(
  found: Pick<ReturnType<typeof convergence>, 'stability'> & {
    score: number | null
    verdict: Measured['verdict']
    skipped: string | undefined
    sorted: Sorted
    isAligned: boolean
  },
  { members, expected, missing, round }: TeamOutput,
): string {
  const { sorted, isAligned } = found
  if (found.skipped !== undefined || found.score === null || found.stability === null)
    return [`Agreement was not measured: ${found.skipped}.`, ...tablesOf(sorted)].join('\n')
  // The measures behind it are in the log.
  const spoken = sorted.agreed.length + sorted.conflicts.length
  const questions = `${counted(spoken, 'question')} that several speak to`
  const by = isAligned ? '' : ', compared by their wording only'
  const agreed = spoken > 0 ? `on ${sorted.agreed.length} of ${questions}${by}` : 'by how alike their texts are'
  const how = [
    ...(round > 1 ? [`round ${round}`] : []),
    ...(missing.length > 0 ? [turnout(`${members.length} of ${expected}`, missing)] : []),
  ].join('; ')
  const told = `Agreement: **${found.verdict}**, ${agreed}${how === '' ? '' : ` (${how})`}.`
  return [told, ...tablesOf(sorted)].join('\n')
}

function tablesOf({ agreed, conflicts, alone }: Sorted): string[] {
  const single = alone.map(({ agent, question, choice }) => ({ question, options: [{ choice, agents: [agent] }] }))
  return [...table('agreed', agreed), ...table('disagreed', conflicts), ...table('stands alone', single)]
}

function table(title: string, rows: readonly AlignedQuestion[]): string[] {
  if (rows.length === 0) return []
  return [
    '',
    `| ${title} | position | held by |`,
    '| --- | --- | --- |',
    ...rows.flatMap(({ question, options }) =>
      options.map(({ choice, agents }) => `| ${cell(question)} | ${cell(choice)} | ${agents.map(cell).join(', ')} |`),
    ),
  ]
}

function limitsOf({ threshold_high, threshold_low, positions_high, positions_low }: VerdictLimits): VerdictLimits {
  return { threshold_high, threshold_low, positions_high, positions_low }
}
