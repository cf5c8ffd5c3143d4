/** The coordinator merges a team's output into one result; if the team disagrees, a person is asked first. CV3, ST6. */
import { ConveneError } from '../../kernel/errors.ts'
import { type AlignedOption, type AlignedQuestion, settledByMajority } from '../../rules/convergence/align.ts'
import { settledBefore } from '../../rules/plan/settled-matters.ts'
import { synthesisDepth, synthesisSteps } from '../../rules/plan/synthesis.ts'
import { oneLine } from '../../rules/text/one-line.ts'
import { addFlags, countFailure, countSuccess, isLeft, type Phase, settledIn } from '../plan.ts'
import { type Output, readSynthesis, type Synthesis } from '../replies.ts'
import { bullets, figure } from '../wording.ts'
import type { Measured } from './agreement.ts'
import { askMember } from './ask-member.ts'
import type { Member } from './ask-members.ts'
import { askUser, askUserAll, type UserOption, type UserQuestion } from './ask-user.ts'
import { questionsAnswered } from './phase-result.ts'
import type { TeamTask } from './teamwork.ts'

export async function synthesise(
  phase: Phase,
  members: readonly Member[],
  work: TeamTask,
  measured: Measured,
  contradictions: string | undefined,
): Promise<{ synthesis: Synthesis; ask?: string }> {
  const depth = synthesisDepth(measured.verdict, phase.flags)
  const { rulings, standing, taken } =
    measured.verdict === 'high' ? noConflicts : await settleConflicts(phase, members, measured.conflicts)
  const steps = synthesisSteps.map(({ instruction }, index) => `${index + 1}. ${instruction}`).join('\n')
  const room = {
    quick: '\nThey agree: be brief.',
    standard: '',
    extended: '\nThey disagree: set out side by side where they agree and where they do not before you decide.',
  }[depth]
  const notes = [
    measured.section ? `How far they agree:\n${measured.section}` : '',
    contradictions ? `Contradictions and gaps:\n${contradictions}` : '',
    rulings.length > 0
      ? `The person has decided:\n${bullets(rulings)}\nConvene records these; do not list them as decisions.`
      : '',
    standing.length > 0 ? `Settled before, and not asked again:\n${bullets(standing)}` : '',
    taken.length > 0 ? `Taken without a question, because most of the agents hold it:\n${bullets(taken)}` : '',
  ].filter(Boolean)
  const answer = await askCoordinator(phase, () =>
    askMember(phase, {
      kind: 'phase',
      agent: phase.settings.staff.coordinator,
      round: 0,
      task: `${work.task}\n\nYou coordinate this phase. Make one result of what the agents wrote, in three steps:\n${steps}${room}\nHeadings of the artefact: ${work.headings.join(', ')}.`,
      acceptance: work.acceptance,
      form: 'a synthesis',
      others: members.map(({ role, output }) => ({
        role,
        text: [output.text, measured.section ? '' : positionLines(output)].filter(Boolean).join('\n\n'),
      })),
      ...(notes.length > 0 ? { note: notes.join('\n\n') } : {}),
    }),
  )
  if (answer) {
    const synthesis = readSynthesis(answer.text)
    if (!synthesis.structured) addFlags(phase, 'unstructured_synthesis')
    return { synthesis, ask: answer.ask }
  }
  // Without a synthesis, the members' outputs are listed one after the other and the phase is flagged.
  addFlags(phase, 'degraded', 'synthesis_missing')
  const artefact = members.map(({ role, output }) => `## ${role}\n\n${output.text}`).join('\n\n')
  return { synthesis: readSynthesis(JSON.stringify({ artefact: artefact || 'Nothing was found.' })) }
}

/** Where agreement is not measured, nobody else tells the coordinator of the positions. */
function positionLines({ positions }: Output): string {
  if (positions.length === 0) return ''
  const lines = positions.map(({ question, choice, confidence }) => {
    return `- ${oneLine(question, 200)} → ${oneLine(choice, 300)}${confidence === undefined ? '' : ` (${figure(confidence)} sure)`}`
  })
  return `Positions:\n${lines.join('\n')}`
}

type MemberTask<Value> = () => Promise<
  { ok: true; text: string; value: Value; ask: string } | { ok: false; reason: string; ask: string }
>

/** Asks the coordinator again until its breaker trips; then a person decides whether to continue without it. */
export async function askCoordinator<Value>(
  phase: Phase,
  put: MemberTask<Value>,
): Promise<{ text: string; value: Value; ask: string } | null> {
  const context = `coordinator_phase_${phase.id}`
  const before = phase.summaryFlags
  for (;;) {
    const answer = await put()
    if (answer.ok) {
      countSuccess(phase, context)
      // It answered after all: drop the flags of its failures.
      phase.summaryFlags = before
      return answer
    }
    failIfParallel(phase, answer.reason)
    if ((await countFailure(phase, context)) === 'retry') continue
    const said = await askUser(phase, {
      text: `The coordinator of phase ${phase.id} failed: ${answer.reason}`,
      options: [
        { choice: 'retry', follows: 'the coordinator is asked again' },
        { choice: 'go on without', follows: 'its result is missing from the plan, which says so' },
      ],
      assume: { answer: 'go on without', words: 'continued without its result' },
      again: ['retry'],
    })
    if (said !== 'retry') return null
  }
}

/** CB1: a phase that runs in parallel fails without retries or questions; it is run again alone. */
export function failIfParallel({ isParallel, id }: Phase, reason: string): void {
  if (isParallel) throw new ConveneError('phase_failed', `phase ${id}: ${reason}`)
}

/**
 * CV7: asks about every conflict at once, with who holds which option and what follows from it. A matter that the person has
 * spoken on, or that a HIGH decision settles, is not asked again. An internal matter on which most agree is not asked at all:
 * the majority's option is an assumption of the plan.
 */
async function settleConflicts(
  phase: Phase,
  members: readonly Member[],
  conflicts: readonly AlignedQuestion[],
): Promise<SettledConflicts> {
  const settled = settledIn(phase.plan)
  const matters = conflicts.map((conflict) => ({ conflict, before: settledBefore(conflict, settled) }))
  const open = matters.flatMap(({ conflict, before }) => (before ? [] : [conflict]))
  const leave = 'let the coordinator decide'
  const turn = members.at(-1)?.ask
  const answers = await askUserAll(
    phase,
    open.map((conflict) => ({
      text: `The agents disagree on: ${oneLine(conflict.question, 200)}`,
      about: conflict.question,
      options: conflict.options.map(optionOf),
      assume: { answer: leave, words: 'the coordinator decided' },
      remember: true,
      leaves: leave,
      ...majorityOf(conflict),
      ...(turn === undefined ? {} : { turn }),
    })),
  )
  // The note says what was decided now; what it answers is open no more.
  if (open.length > 0) phase.renew({ closed_questions: questionsAnswered(phase) })
  const rulings: string[] = []
  const standing: string[] = []
  const taken: string[] = []
  for (const { conflict, before } of matters) {
    const given = before ? undefined : answers[open.indexOf(conflict)]!
    const answer = before ? before.answer : given!.answer
    if (answer === leave || (given && isLeft(asTold(given.answer, conflict)))) continue
    const asked = oneLine(conflict.question, 200)
    if (given?.by === 'assumption') taken.push(`${asked} → ${oneLine(answer!, 300)}`)
    else if (answer === undefined)
      standing.push(`${asked} → the person left it to you: what the plan has decided on it stands`)
    else if (before?.by === 'plan') standing.push(`${asked} → ${before.matter}: ${oneLine(answer, 300)}`)
    else rulings.push(`${asked} → ${oneLine(answer, 300)}`)
  }
  return { rulings, standing, taken }
}

/** An answer with the sentence that the agents gave it as an option. */
function asTold(answer: string, { options }: AlignedQuestion): { answer: string; sentence?: string } {
  const sentence = options.map(optionOf).find(({ choice }) => choice === answer)?.decision
  return { answer, ...(sentence ? { sentence } : {}) }
}

interface SettledConflicts {
  /** What the person decided, now or before. */
  rulings: string[]
  /** What needed no question. */
  standing: string[]
  /** What the majority settled. */
  taken: string[]
}

const noConflicts: SettledConflicts = { rulings: [], standing: [], taken: [] }

/** CV7: what is taken without a question, and how it is listed among the assumptions. */
function majorityOf(conflict: AlignedQuestion): Pick<UserQuestion, 'settled'> {
  const option = settledByMajority(conflict)
  if (!option) return {}
  const all = conflict.options.flatMap(({ agents }) => agents).length
  const answer = oneLine(option.choice, 120)
  return {
    settled: { answer, words: `${answer} (${option.agents.length} of ${all} agents; a matter of the code alone)` },
  }
}

function optionOf({ choice, agents, follows, decision }: AlignedOption): UserOption {
  return {
    choice: oneLine(choice, 120),
    heldBy: agents,
    ...(follows ? { follows: oneLine(follows, 300) } : {}),
    ...(decision ? { decision: oneLine(decision, 400) } : {}),
  }
}
