/** How the agents of a phase work together: alone, from several sides, or against each other; then one synthesis. ST, CV. */
import type { Agent } from '../kernel/agent.ts'
import { isOpen } from '../rules/breaker.ts'
import { convergence } from '../rules/convergence.ts'
import { deliberate, roundTwoCalls } from '../rules/deliberation.ts'
import { oneLine } from '../rules/one-line.ts'
import { tally } from '../rules/positions/position.ts'
import { type Cast, castPhase } from '../rules/preset.ts'
import type { StaffedPhase } from '../rules/preset-table.ts'
import { chooseStrategy, type StrategyChoice } from '../rules/strategy.ts'
import { strategyRounds } from '../rules/strategy-table.ts'
import { synthesisDepth, synthesisSteps } from '../rules/synthesis.ts'
import { agentFor, askMember } from './ask-member.ts'
import { askUser } from './ask-user.ts'
import { convergenceMeasured, memberMissing, outputReceived } from './events.ts'
import { countFailure, countSuccess, note, type Phase, placeOf } from './plan.ts'
import { convergenceIn, strategiesIn } from './plan-settings.ts'
import { type Output, readOutput, readSynthesis, type Synthesis } from './replies.ts'

export interface TeamTask {
  task: string
  acceptance: readonly string[]
  /** What the synthesis has to contain. */
  headings: readonly string[]
}

export interface Member {
  role: string
  agent: Agent
  output: Output
  ask: string
}

export interface Teamwork {
  members: Member[]
  expected: number
  synthesis: Synthesis
  ask?: string
  choice: StrategyChoice
  /** Markdown about how far they agreed, for the artefact. */
  agreement: string
}

export function castOf(phase: Phase): { choice: StrategyChoice; cast: Cast } {
  const { plan, id, flags } = phase
  const choice = chooseStrategy(id, plan.input.mode, flags, plan.signals, undefined, strategiesIn(plan.around.settings))
  const cast = castPhase(id as StaffedPhase, choice.strategy ?? 'quick', plan.team)
  note(phase, ...cast.flags)
  return { choice, cast }
}

export async function workTogether(
  phase: Phase,
  { choice, cast }: { choice: StrategyChoice; cast: Cast },
  work: TeamTask,
): Promise<Teamwork> {
  const { members, expected, contradictions } =
    cast.strategy === 'red_team' ? await debate(phase, cast, work) : await lookFromSides(phase, cast, work)
  if (members.length < expected) note(phase, 'degraded')
  const measured = await measure(phase, members, choice.rounds)
  const synthesis = await synthesise(phase, members, work, measured, contradictions)
  return { members, expected, choice, agreement: measured.section, ...synthesis }
}

interface Heard {
  members: Member[]
  expected: number
  contradictions?: string
}

async function lookFromSides(
  phase: Phase,
  cast: Exclude<Cast, { strategy: 'red_team' }>,
  work: TeamTask,
): Promise<Heard> {
  const { plan } = phase
  const [first] = strategyRounds[cast.strategy]
  const task = `${work.task}\n\n${first!.task}`
  const heard = await hearAll(phase, cast.agents, 1, () => ({ task, acceptance: work.acceptance }))
  if (cast.strategy !== 'perspectives') return { members: heard, expected: cast.agents.length }
  const tokens = heard.reduce((sum, { output }) => sum + plan.around.countTokens(output.text), 0)
  const { deliberation } = plan.around.settings.mpa
  const tripped = isOpen(plan.breakers, 'deliberation_round_2')
  const how = deliberate(phase.id, tripped ? 'light' : deliberation.variant, tokens, phase.flags)
  if (how.kind === 'light' && how.fellBack) note(phase, 'deliberation_fell_back_to_light')
  if (how.kind !== 'full')
    return {
      members: heard,
      expected: cast.agents.length,
      ...(how.kind === 'light' ? await gaps(phase, heard, work) : {}),
    }
  return { members: await secondRound(phase, heard, how.roundTwo, work), expected: cast.agents.length }
}

const roundTwoTasks = {
  revise:
    'Read what the others wrote. Say where you agree and why, where you disagree and why yours holds, take over what you had missed, and give your whole view again with what you changed marked.',
  critique:
    'Read what the others wrote as a senior reviewer. Find the flaws in their work and in yours, and give your whole view again with what follows from that.',
}

/** ST5, full: a fresh call for each, with the others' first drafts. Whoever fails stays with the first draft. */
async function secondRound(
  phase: Phase,
  heard: Member[],
  mode: 'revise' | 'critique',
  work: TeamTask,
): Promise<Member[]> {
  const calls = roundTwoCalls(heard.map(({ role, output }) => ({ agent: role, text: output.text })))
  const again = await hearAll(
    phase,
    calls.map(({ agent }) => agent),
    2,
    (role) => {
      const call = calls.find(({ agent }) => agent === role)!
      const others = call.others.map(({ agent, text }) => ({ role: agent, text }))
      return { task: `${work.task}\n\n${roundTwoTasks[mode]}`, acceptance: work.acceptance, own: call.own, others }
    },
    heard,
  )
  if (again.length === calls.length) {
    countSuccess(phase, 'deliberation_round_2')
    return again
  }
  note(phase, 'degraded', 'round_two_incomplete')
  await countFailure(phase, 'deliberation_round_2')
  return heard.map((member) => again.find(({ role }) => role === member.role) ?? member)
}

/** ST5, light: the coordinator writes down where they contradict each other and what nobody said. */
async function gaps(phase: Phase, heard: Member[], work: TeamTask): Promise<{ contradictions?: string }> {
  if (heard.length < 2) return {}
  const answer = await askMember(phase, {
    kind: 'phase',
    agent: phase.plan.around.coordinator(),
    round: 2,
    task: `Several agents worked on this: ${oneLine(work.task, 300)}\nWrite down where they contradict each other, and what none of them looked at. Decide nothing yet.`,
    acceptance: ['Every contradiction names who says what', 'Every gap says why it matters'],
    form: 'a view of your own',
    others: heard.map(({ role, output }) => ({ role, text: output.text })),
  })
  if (answer.ok) return { contradictions: readOutput(answer.text).text }
  note(phase, 'degraded')
  return {}
}

/** ST1: propose, challenge, defend, one after the other. */
async function debate(phase: Phase, cast: Extract<Cast, { strategy: 'red_team' }>, work: TeamTask): Promise<Heard> {
  const [propose, challenge, defend] = strategyRounds.red_team
  const expected = cast.defender === 'coordinator' ? 2 : 3
  const [proposal] = await hearAll(phase, [cast.proposer], 1, () => ({
    task: `${work.task}\n\n${propose!.task}`,
    acceptance: work.acceptance,
  }))
  if (!proposal) return { members: [], expected }
  const challenger = agentOf(phase, cast.challenger)
  const attack = await askMember(phase, {
    kind: 'review',
    agent: challenger,
    role: cast.challenger,
    round: 2,
    task: `${work.task}\n\n${challenge!.task}`,
    acceptance: ['Every flaw is rated CRITICAL, MAJOR or MINOR', 'Nothing is proposed instead'],
    form: 'findings of a review',
    others: [{ role: cast.proposer, text: proposal.output.text }],
  })
  if (!attack.ok) {
    await missing(phase, 2, cast.challenger, challenger, attack.reason)
    await countFailure(phase, 'red_team')
    note(phase, 'degraded')
    return { members: [proposal], expected }
  }
  const challenged: Member = {
    role: cast.challenger,
    agent: challenger,
    output: readOutput(attack.text),
    ask: attack.ask,
  }
  await received(phase, 2, challenged)
  if (cast.defender === 'coordinator') return { members: [proposal, challenged], expected }
  const defence = await askMember(phase, {
    kind: 'defend',
    agent: proposal.agent,
    role: cast.proposer,
    round: 3,
    task: `${work.task}\n\n${defend!.task}`,
    acceptance: ['Every flaw is answered'],
    form: 'a view of your own',
    others: [{ role: cast.challenger, text: challenged.output.text }],
    own: proposal.output.text,
  })
  if (!defence.ok) {
    await missing(phase, 3, cast.proposer, proposal.agent, defence.reason)
    await countFailure(phase, 'red_team')
    note(phase, 'degraded')
    return { members: [proposal, challenged], expected }
  }
  countSuccess(phase, 'red_team')
  const defended: Member = {
    role: `${cast.proposer} (defence)`,
    agent: proposal.agent,
    output: readOutput(defence.text),
    ask: defence.ask,
  }
  await received(phase, 3, defended)
  return { members: [proposal, challenged, defended], expected }
}

type Put = { task: string; acceptance: readonly string[]; own?: string; others?: { role: string; text: string }[] }

/** All at once, in the order of their parts; who fails is named and left out. */
export async function hearAll(
  phase: Phase,
  roles: readonly string[],
  round: number,
  put: (role: string) => Put,
  known: readonly Member[] = [],
): Promise<Member[]> {
  const asked = roles.map((role) => ({
    role,
    agent: known.find((one) => one.role === role)?.agent ?? agentOf(phase, role),
  }))
  const answers = await Promise.all(
    asked.map(({ role, agent }) =>
      askMember(phase, { kind: 'phase', agent, role, round, form: 'a view of your own', ...put(role) }),
    ),
  )
  const members: Member[] = []
  for (const [index, answer] of answers.entries()) {
    const { role, agent } = asked[index]!
    if (!answer.ok) {
      await missing(phase, round, role, agent, answer.reason)
      continue
    }
    const member = { role, agent, output: readOutput(answer.text), ask: answer.ask }
    await received(phase, round, member)
    if (member.output.text === '') await missing(phase, round, role, agent, 'the reply is empty')
    else members.push(member)
  }
  return members
}

function agentOf({ plan }: Phase, role: string): Agent {
  const roles = [...new Set(Object.values(plan.team.agents).flat())]
  const isReviewer = plan.team.agents['6b'].includes(role)
  const agents = isReviewer ? plan.around.reviewers() : plan.around.panel()
  return agentFor(agents, Math.max(0, (isReviewer ? [...plan.team.agents['6b']] : roles).indexOf(role)))
}

async function received(phase: Phase, round: number, { role, agent, output, ask }: Member): Promise<void> {
  const { plan, run, id } = phase
  await run.step('keep output', async (step) => {
    const output_ref = await plan.around.store.putPayload(output.text)
    const excerpt = oneLine(output.text, 240)
    const about = { phase: id, round, role, agent: agent.name, ask, excerpt, output_ref, empty: output.text === '' }
    step.emit(outputReceived.create(placeOf(plan, run, agent.name), about))
  })
}

async function missing(phase: Phase, round: number, role: string, agent: Agent, reason: string): Promise<void> {
  note(phase, 'degraded')
  const about = { phase: phase.id, round, role, agent: agent.name, reason }
  await phase.run.append(memberMissing.create(placeOf(phase.plan, phase.run), about))
}

interface Measured {
  verdict: 'high' | 'medium' | 'low' | 'ambiguous' | null
  section: string
}

async function measure(phase: Phase, members: readonly Member[], round: number): Promise<Measured> {
  const { plan, run, flags, id } = phase
  if (!flags.has('s8_convergence_detection')) return { verdict: null, section: '' }
  const positions = members.flatMap(({ role, output }) => output.positions.map((one) => ({ agent: role, ...one })))
  const outputs = members.map(({ output }) => output.text)
  const found = convergence(outputs, positions, convergenceIn(plan.around.settings))
  const votes = tally(positions)
  const stands = votes.flatMap(({ question, votes: blocs }) =>
    blocs.map(({ choice, agents }) => ({ question, choice, roles: agents })),
  )
  if ('skipped' in found && found.degraded) note(phase, 'degraded')
  await run.append(
    convergenceMeasured.create(placeOf(plan, run), {
      phase: id,
      round: Math.max(1, round),
      score: found.score,
      agreement_ratio: found.agreement_ratio,
      stability: found.stability,
      positions: found.positions.score,
      verdict: found.verdict,
      ...('skipped' in found ? { skipped: found.skipped } : {}),
      stands,
    }),
  )
  return { verdict: found.verdict, section: describeAgreement(found, votes, members.length) }
}

function describeAgreement(
  found: ReturnType<typeof convergence>,
  votes: ReturnType<typeof tally>,
  members: number,
): string {
  if ('skipped' in found) return `Agreement was not measured: ${found.skipped}.`
  const ratio = found.agreement_ratio === null ? 'N/A (independent outputs)' : String(found.agreement_ratio)
  const lines = [
    `Agreement: **${found.verdict}** (conclusions ${found.positions.score}, words ${found.score}; agreement_ratio: ${ratio}, stability: ${found.stability}; ${members} members).`,
  ]
  if (votes.length === 0) return lines.join('\n')
  const agreed = votes.filter(({ unanimous }) => unanimous)
  const open = votes.filter(({ unanimous }) => !unanimous)
  const table = (title: string, rows: typeof votes) =>
    rows.length === 0
      ? []
      : [
          '',
          `| ${title} | position | held by |`,
          '| --- | --- | --- |',
          ...rows.flatMap(({ question, votes: blocs }) =>
            blocs.map(
              ({ choice, agents }) => `| ${cell(question)} | ${cell(choice)} | ${agents.map(cell).join(', ')} |`,
            ),
          ),
        ]
  return [...lines, ...table('agreed', agreed), ...table('disagreed', open)].join('\n')
}

/** CV3, ST6: the coordinator joins what was heard; where they are at odds, a person is asked first. */
async function synthesise(
  phase: Phase,
  members: readonly Member[],
  work: TeamTask,
  measured: Measured,
  contradictions: string | undefined,
): Promise<{ synthesis: Synthesis; ask?: string }> {
  const { plan, flags } = phase
  const depth = synthesisDepth(measured.verdict, flags)
  const ruling = measured.verdict === 'low' && depth === 'extended' ? await settleDisagreement(phase, members) : ''
  const steps = synthesisSteps.map(({ instruction }, index) => `${index + 1}. ${instruction}`).join('\n')
  const room = {
    quick: 'They agree: be brief.',
    standard: '',
    extended: 'They disagree: set out side by side where they agree and where they do not before you decide.',
  }[depth]
  const notes = [
    measured.section ? `How far they agree:\n${measured.section}` : '',
    contradictions ? `Contradictions and gaps:\n${contradictions}` : '',
    ruling ? `The person has decided: ${ruling}` : '',
    plan.guidance ? `The person says: ${plan.guidance}` : '',
  ].filter(Boolean)
  const put = () =>
    askMember(phase, {
      kind: 'phase',
      agent: plan.around.coordinator(),
      round: 0,
      task: `${work.task}\n\nYou coordinate this phase. Make one result of what was heard, in three steps:\n${steps}\n${room}\nHeadings of the artefact: ${work.headings.join(', ')}.`,
      acceptance: work.acceptance,
      form: 'a synthesis',
      others: members.map(({ role, output }) => ({ role, text: output.text })),
      ...(notes.length > 0 ? { note: notes.join('\n\n') } : {}),
    })
  const answer = await insist(phase, put)
  if (answer) {
    const synthesis = readSynthesis(answer.text)
    if (!synthesis.structured) note(phase, 'unstructured_synthesis')
    return { synthesis, ask: answer.ask }
  }
  // Nobody joins them: what was heard is kept side by side, and that it is no synthesis is said.
  note(phase, 'degraded', 'synthesis_missing')
  const artefact = members.map(({ role, output }) => `## ${role}\n\n${output.text}`).join('\n\n')
  return { synthesis: readSynthesis(JSON.stringify({ artefact: artefact || 'Nothing was found.' })) }
}

/** A coordinator that fails is asked again until its breaker trips; then a person says whether to go on without. */
export async function insist<Value>(
  phase: Phase,
  put: () => Promise<{ ok: true; text: string; value: Value; ask: string } | { ok: false; reason: string }>,
): Promise<{ text: string; value: Value; ask: string } | null> {
  for (;;) {
    const answer = await put()
    if (answer.ok) {
      countSuccess(phase, `coordinator_phase_${phase.id}`)
      return answer
    }
    if ((await countFailure(phase, `coordinator_phase_${phase.id}`)) === 'retry') continue
    const said = await askUser(phase, {
      text: `The coordinator of phase ${phase.id} failed: ${answer.reason}`,
      choices: ['retry', 'go on without'],
      assume: { answer: 'go on without', words: 'went on without its result' },
    })
    countSuccess(phase, `coordinator_phase_${phase.id}`)
    if (said !== 'retry') return null
  }
}

async function settleDisagreement(phase: Phase, members: readonly Member[]): Promise<string> {
  const positions = members.flatMap(({ role, output }) => output.positions.map((one) => ({ agent: role, ...one })))
  const open = tally(positions).filter(({ unanimous }) => !unanimous)
  const [first] = open
  const text = first
    ? `The agents disagree on: ${oneLine(first.question, 200)}`
    : `The agents of phase ${phase.id} come to different conclusions. Which way should the plan go?`
  const options = first ? first.votes.map(({ choice }) => oneLine(choice, 120)) : []
  return askUser(phase, {
    text,
    choices: [...options, 'let the coordinator decide'],
    assume: { answer: 'let the coordinator decide', words: 'the coordinator decided' },
    context: {
      stands: open.flatMap(({ question, votes }) => votes.map(({ choice, agents }) => ({ question, choice, agents }))),
    },
  })
}

function cell(text: string): string {
  return oneLine(text, 160).replaceAll('|', '\\|')
}
