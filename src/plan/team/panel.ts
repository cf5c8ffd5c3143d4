/** A panel scores a rubric, with votes, dissent and missing members. PH4, CV6. */

import type { NewEvent } from '../../kernel/events.ts'
import { sameMatter } from '../../rules/plan/consistency.ts'
import { findingId, groupFaults } from '../../rules/plan/joined-findings.ts'
import {
  type AfterRubric,
  afterRubric,
  type Ballot,
  needsComparing,
  type Objection,
  phaseSteps,
  type RubricLevel,
  rubricLevel,
  sharedGap,
  tallyPanel,
} from '../../rules/plan/phase.ts'
import { phaseById } from '../../rules/plan/phase-table.ts'
import { oneLine } from '../../rules/text/one-line.ts'
import { memberMissing, panelTallied, panelVoted } from '../events.ts'
import { addFlags, countFailure, countSuccess, emit, eventHeader, type Phase } from '../plan.ts'
import { ballotSchema, findingGroupsSchema } from '../replies.ts'
import { cell, figure, turnout } from '../wording.ts'
import { agentFor, askMember } from './ask-member.ts'
import { failIfParallel } from './synthesise.ts'

export interface PanelVote extends Ballot {
  agent: string
  ask: string
  dissent?: string
  reasons?: string
}

export interface PanelResult {
  level: 'GREEN' | 'YELLOW' | 'RED' | null
  votes: PanelVote[]
  members: readonly string[]
  missing: string[]
  after: AfterRubric
  /** The members' objections: guidance for the next pass. */
  dissents: Objection[]
  /** The ask of the last vote. */
  turn?: string
  /** Markdown. */
  section: string
}

export async function askPanel(phase: Phase, rounds: number, task: string, acceptance: string[]): Promise<PanelResult> {
  const { plan, run, id } = phase
  const members = phaseById(id).panel
  let votes = await firstVotes(phase, members, rounds, task, acceptance)
  // Without a first vote there is nothing to debate.
  for (let round = 2; round <= rounds && votes.length > 0; round++)
    votes = await vote(phase, members, round, task, acceptance, votes)
  const verdict = tallyPanel(members, votes)
  addFlags(phase, ...verdict.flags)
  const scored = verdict.kind === 'scored' ? verdict.level : null
  const shared = scored ? await findSharedGap(phase, scored, votes) : null
  if (shared) addFlags(phase, 'rubric_yellow', 'shared_gap')
  const level = shared ? 'YELLOW' : scored
  const returns = plan.returns.get(id) ?? 0
  const steps = phaseSteps(plan.input.mode, phase.flags)
  const after: AfterRubric =
    level === null ? { kind: 'proceed', flags: [...verdict.flags] } : afterRubric(id, level, returns, steps)
  const [points, outOf] = verdict.kind === 'scored' ? [verdict.percent, 100] : [0, 0]
  await emit(
    run,
    panelTallied.create(eventHeader(plan, run), {
      phase: id,
      level,
      points,
      outOf,
      answered: votes.length,
      members: members.length,
      missing: verdict.missing,
      ...(shared ? { shared: shared.text } : {}),
      next: after.kind,
    }),
  )
  return {
    level,
    votes,
    members,
    missing: verdict.missing,
    after,
    dissents: objectionsOf(votes),
    ...(votes.length > 0 ? { turn: votes.at(-1)!.ask } : {}),
    section: describe(level, points, votes, members, verdict.missing, shared),
  }
}

export function dissentWords(dissents: readonly Objection[]): string {
  return dissents.map(({ member, text }) => `${member}: ${text}`).join('; ')
}

/** A member's objection: the dissent, or the reasons for a vote that is not GREEN. */
function objectionsOf(votes: readonly PanelVote[]): Objection[] {
  return votes.flatMap(({ member, points, outOf, dissent, reasons }) => {
    const words = dissent || (rubricLevel(points, outOf) === 'GREEN' ? '' : reasons)
    return words ? [{ member, text: oneLine(words, 300) }] : []
  })
}

/** PH4: after GREEN one ask says which objections mean the same; without an answer their words are compared. */
async function findSharedGap(phase: Phase, level: RubricLevel, votes: readonly PanelVote[]): Promise<Objection | null> {
  const objections = objectionsOf(votes)
  if (!needsComparing(level, objections)) return null
  const found = objections.map(({ member, text }) => ({ severity: 'MAJOR' as const, title: text, by: member }))
  const schema = findingGroupsSchema.superRefine(({ same }, context) => {
    const faults = groupFaults(same, found)
    if (faults.length > 0) context.addIssue({ code: 'custom', message: faults.join('; ') })
  })
  const answer = await askMember(phase, {
    kind: 'align',
    agent: phase.settings.staff.coordinator,
    round: 0,
    task: `The panel passed it with these objections:\n${objections.map(({ member, text }, index) => `- ${findingId(index)} (${member}) ${text}`).join('\n')}\n\nWhich of them name the same gap, in whatever words?`,
    acceptance: ['Each group has two objections or more', 'An objection that stands alone is in no group'],
    form: 'groups of findings',
    schema,
    optional: true,
  })
  if (answer.ok)
    return sharedGap(answer.value.same.map((ids) => objections.filter((_, at) => ids.includes(findingId(at)))))
  return sharedGap(objections.map((one) => objections.filter(({ text }) => sameMatter(one.text, text))))
}

/** CB1: if nobody answers, the whole panel is asked again until the breaker trips; then it is skipped. */
async function firstVotes(
  phase: Phase,
  members: readonly string[],
  rounds: number,
  task: string,
  acceptance: string[],
): Promise<PanelVote[]> {
  const put =
    rounds > 1 ? `${task}\nThe panel votes ${rounds} times; after each vote you see how the others voted.` : task
  const before = phase.summaryFlags
  for (;;) {
    const votes = await vote(phase, members, 1, put, acceptance, [])
    if (votes.length > 0) {
      // Members that answered the retry are not missing.
      if (votes.length === members.length) phase.summaryFlags = before
      countSuccess(phase, 'consensus')
      return votes
    }
    failIfParallel(phase, 'nobody on the panel answered')
    if ((await countFailure(phase, 'consensus')) === 'escalate') return []
  }
}

async function vote(
  phase: Phase,
  members: readonly string[],
  round: number,
  task: string,
  acceptance: string[],
  before: readonly PanelVote[],
): Promise<PanelVote[]> {
  const { plan, run, id } = phase
  const agents = phase.settings.staff.panel
  const debate =
    round > 1 ? '\nRead how the others voted, and vote again: keep your vote or change it, with reasons.' : ''
  const answers = await Promise.all(
    members.map((member, index) =>
      askMember(phase, {
        kind: 'review',
        agent: agentFor(agents, index),
        role: member,
        round,
        task: `${task}${debate}`,
        acceptance,
        form: 'a vote',
        others: before.map(({ member: role, points, outOf, dissent, reasons }) => ({
          role,
          text: `${points} of ${outOf}. ${reasons ?? ''} ${dissent ? `Dissent: ${dissent}` : ''}`,
        })),
        schema: ballotSchema,
      }),
    ),
  )
  const votes: PanelVote[] = []
  const cast: NewEvent[] = []
  for (const [index, answer] of answers.entries()) {
    const member = members[index]!
    const agent = agentFor(agents, index)
    if (!answer.ok) {
      addFlags(phase, 'degraded')
      const about = { phase: id, round, role: member, agent, reason: answer.reason }
      cast.push(memberMissing.create(eventHeader(plan, run), about))
      const earlier = before.find((one) => one.member === member)
      if (earlier) votes.push(earlier)
      continue
    }
    const { points, out_of: outOf, dissent, reasons } = answer.value
    votes.push({
      member,
      agent,
      ask: answer.ask,
      points,
      outOf,
      ...(dissent ? { dissent } : {}),
      ...(reasons ? { reasons } : {}),
    })
    const words = { ...(dissent ? { dissent } : {}), ...(reasons ? { reasons } : {}) }
    const about = { phase: id, round, member, agent, points, outOf, ...words }
    cast.push(panelVoted.create(eventHeader(plan, run, agent), about))
  }
  await emit(run, ...cast)
  return votes
}

function describe(
  level: PanelResult['level'],
  percent: number,
  votes: readonly PanelVote[],
  members: readonly string[],
  missing: readonly string[],
  shared: Objection | null,
): string {
  if (level === null)
    return '## Panel\n\nNobody on the panel answered, so there is no score; the plan continues without one.'
  const rows = votes.map(
    ({ member, points, outOf, dissent, reasons }) =>
      `| ${member} | ${figure(points)}/${figure(outOf)} | ${cell(dissent ?? '')} | ${cell(reasons ?? '')} |`,
  )
  return [
    '## Panel',
    '',
    `**${level}**: ${Math.round(percent)} % (${turnout(`${votes.length} of ${members.length}`, missing)})`,
    ...(shared ? ['', `The votes alone are GREEN; two members name the same gap: ${shared.text}`] : []),
    '',
    '| member | vote | dissent | reasons |',
    '| --- | --- | --- | --- |',
    ...rows,
  ].join('\n')
}
