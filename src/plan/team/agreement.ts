/** Measures how far a team agrees and describes it. CV. */
import { convergence } from '../../rules/convergence/convergence.ts'
import { tally } from '../../rules/convergence/positions/position.ts'
import { convergenceMeasured } from '../events.ts'
import { addFlags, emit, eventHeader, type Phase } from '../plan.ts'
import { cell, figure, turnout } from '../wording.ts'
import type { Member } from './ask-members.ts'
import type { TeamOutput } from './teamwork.ts'

export interface Measured {
  verdict: 'high' | 'medium' | 'low' | 'ambiguous' | null
  /** Markdown. */
  section: string
}

type Tallies = ReturnType<typeof tally>

export async function measure(phase: Phase, output: TeamOutput): Promise<Measured> {
  const { plan, run, flags, id, settings } = phase
  const { members, expected, missing, round } = output
  if (!flags.has('s8_convergence_detection')) return { verdict: null, section: '' }
  const votes = votesOf(members)
  const outputs = members.map(({ output }) => output.text)
  const found = convergence(outputs, positionsOf(members), settings.convergence)
  const stands = votes.flatMap(({ question, votes: blocs }) =>
    blocs.map(({ choice, agents }) => ({ question, choice, roles: agents })),
  )
  if ('skipped' in found && found.degraded) addFlags(phase, 'degraded')
  await emit(
    run,
    convergenceMeasured.create(eventHeader(plan, run), {
      phase: id,
      round,
      score: found.score,
      agreement_ratio: found.agreement_ratio,
      stability: found.stability,
      positions: found.positions.score,
      verdict: found.verdict,
      ...('skipped' in found ? { skipped: found.skipped } : {}),
      stands,
      answered: members.length,
      expected,
      missing,
    }),
  )
  return { verdict: found.verdict, section: settings.showsAgreement ? describe(found, votes, output) : '' }
}

export function votesOf(members: readonly Member[]): Tallies {
  return tally(positionsOf(members))
}

function positionsOf(members: readonly Member[]) {
  return members.flatMap(({ role, output }) => output.positions.map((one) => ({ agent: role, ...one })))
}

function describe(
  found: ReturnType<typeof convergence>,
  votes: Tallies,
  { members, expected, missing, round }: TeamOutput,
): string {
  if ('skipped' in found) return `Agreement was not measured: ${found.skipped}.`
  const ratio = found.agreement_ratio === null ? 'N/A (independent outputs)' : figure(found.agreement_ratio)
  const lines = [
    `Agreement: **${found.verdict}** (conclusions ${figure(found.positions.score)}, words ${figure(found.score)}; agreement_ratio: ${ratio}, stability: ${figure(found.stability)}; round ${round}, ${turnout(`${members.length} of ${expected}`, missing)}).`,
  ]
  const agreed = votes.filter(({ unanimous }) => unanimous)
  const open = votes.filter(({ unanimous }) => !unanimous)
  return [...lines, ...table('agreed', agreed), ...table('disagreed', open)].join('\n')
}

function table(title: string, rows: Tallies): string[] {
  if (rows.length === 0) return []
  return [
    '',
    `| ${title} | position | held by |`,
    '| --- | --- | --- |',
    ...rows.flatMap(({ question, votes: blocs }) =>
      blocs.map(({ choice, agents }) => `| ${cell(question)} | ${cell(choice)} | ${agents.map(cell).join(', ')} |`),
    ),
  ]
}
