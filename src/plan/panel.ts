/** A panel scores a rubric: who voted how, who dissented, who is missing. PH4, CV6. */

import { isOpen } from '../rules/breaker.ts'
import { type AfterRubric, afterRubric, type Ballot, phaseSteps, tallyPanel } from '../rules/phase.ts'
import { phaseById } from '../rules/phase-table.ts'
import { agentFor, askMember } from './ask-member.ts'
import { memberMissing, panelTallied, panelVoted } from './events.ts'
import { countFailure, countSuccess, note, type Phase, placeOf } from './plan.ts'
import { ballotSchema } from './replies.ts'

export interface PanelVote extends Ballot {
  agent: string
  dissent?: string
  reasons?: string
}

export interface PanelResult {
  level: 'GREEN' | 'YELLOW' | 'RED' | null
  votes: PanelVote[]
  members: readonly string[]
  missing: string[]
  after: AfterRubric
  /** Markdown. */
  section: string
}

export async function hearPanel(
  phase: Phase,
  rounds: number,
  task: string,
  acceptance: string[],
): Promise<PanelResult> {
  const { plan, run, id } = phase
  const members = phaseById(id).panel
  let votes: PanelVote[] = []
  for (let round = 1; round <= rounds; round++)
    votes = await vote(phase, members, round, rounds, task, acceptance, votes)
  while (votes.length === 0 && !isOpen(plan.breakers, 'consensus')) {
    if ((await countFailure(phase, 'consensus')) === 'escalate') break
    votes = await vote(phase, members, 1, 1, task, acceptance, [])
  }
  if (votes.length > 0) countSuccess(phase, 'consensus')
  const verdict = tallyPanel(members, votes)
  note(phase, ...verdict.flags)
  const level = verdict.kind === 'scored' ? verdict.level : null
  const returns = plan.returns.get(id) ?? 0
  const steps = phaseSteps(plan.input.mode, phase.flags)
  const after: AfterRubric =
    level === null ? { kind: 'proceed', flags: [...verdict.flags] } : afterRubric(id, level, returns, steps)
  const [points, outOf] = verdict.kind === 'scored' ? [verdict.points, verdict.outOf] : [0, 0]
  await run.append(
    panelTallied.create(placeOf(plan, run), {
      phase: id,
      level,
      points,
      outOf,
      answered: votes.length,
      members: members.length,
      missing: verdict.missing,
      next: after.kind,
    }),
  )
  return {
    level,
    votes,
    members,
    missing: verdict.missing,
    after,
    section: describe(level, points, outOf, votes, members, verdict.missing),
  }
}

async function vote(
  phase: Phase,
  members: readonly string[],
  round: number,
  rounds: number,
  task: string,
  acceptance: string[],
  before: readonly PanelVote[],
): Promise<PanelVote[]> {
  const { plan, run, id } = phase
  const agents = plan.around.panel()
  const debate =
    rounds > 1 && round > 1
      ? '\nRead how the others voted, and vote again: keep your vote or change it, with reasons.'
      : ''
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
  for (const [index, answer] of answers.entries()) {
    const member = members[index]!
    const agent = agentFor(agents, index).name
    if (!answer.ok) {
      note(phase, 'degraded')
      await run.append(
        memberMissing.create(placeOf(plan, run), { phase: id, round, role: member, agent, reason: answer.reason }),
      )
      const earlier = before.find((one) => one.member === member)
      if (earlier) votes.push(earlier)
      continue
    }
    const { points, out_of: outOf, dissent, reasons } = answer.value
    votes.push({ member, agent, points, outOf, ...(dissent ? { dissent } : {}), ...(reasons ? { reasons } : {}) })
    const about = { phase: id, round, member, agent, points, outOf, ...(dissent ? { dissent } : {}) }
    await run.append(panelVoted.create(placeOf(plan, run, agent), about))
  }
  return votes
}

function describe(
  level: PanelResult['level'],
  points: number,
  outOf: number,
  votes: readonly PanelVote[],
  members: readonly string[],
  missing: readonly string[],
): string {
  if (level === null)
    return '## Panel\n\nNobody on the panel answered: there is no score, and the plan goes on without one.'
  const percent = Math.round((points / outOf) * 100)
  const rows = votes.map(
    ({ member, points, outOf, dissent }) =>
      `| ${member} | ${points}/${outOf} | ${(dissent ?? '').replaceAll('|', '\\|').replace(/\s+/g, ' ')} |`,
  )
  return [
    '## Panel',
    '',
    `**${level}**: ${percent} % (${votes.length} of ${members.length} answered${missing.length > 0 ? `; missing: ${missing.join(', ')}` : ''})`,
    '',
    '| member | vote | dissent |',
    '| --- | --- | --- |',
    ...rows,
  ].join('\n')
}
