/** Questions of a plan to a person, answered by the person, the answers file or an assumption. PH3. */
import { type Asked, askTogether } from '../../kernel/runs/questions.ts'
import { flatten } from '../../rules/context/context.ts'
import { phaseSummarySchema } from '../../rules/plan/phase-summary.ts'
import { explainIds } from '../../rules/plan/words/explained-ids.ts'
import { renderSummary, summaryFile, writeArtefact } from '../artefacts.ts'
import { assumptionMade } from '../events.ts'
import { emit, eventHeader, type Phase, type Plan } from '../plan.ts'

/** One of two or more answers that exclude each other. */
export interface UserOption {
  choice: string
  /** The agents or documents that hold this option; none if it only says how the plan continues. */
  heldBy?: string[]
  follows?: string
  /** The choice as a decision of the plan, in one sentence. */
  decision?: string
}

export interface Assumption {
  answer: string
  words: string
}

export interface UserQuestion {
  text: string
  choices?: string[]
  /** Instead of choices: each is a choice, shown with who holds it and what follows. */
  options?: readonly UserOption[]
  /** What is asked, without who asks it; the text unless given. A matter is asked once in a plan. */
  about?: string
  /** Why it is asked; shown above the options. */
  background?: string
  /** The answer assumed with `--yes`, and how it is worded. */
  assume: Assumption
  /** Used without asking, unless the person or the answers file has already answered. */
  settled?: Assumption
  /** The ask that raised the question; an answer from the file links to it. */
  turn?: string
  /** Whether later phases get the answer; otherwise it only steers the plan. */
  remember?: boolean
  /** The open questions of agents that the answer resolves, by id. */
  resolves?: readonly string[]
  /** An answer that leaves the matter to the agents: later phases do not get it. */
  leaves?: string
  /** Answers that lead to the same question again; the answers file may give each only once, or it would loop. */
  again?: readonly string[]
  context?: Record<string, unknown>
}

export interface UserAnswer {
  answer: string
  by: 'person' | 'file' | 'assumption'
  /** The question to the person, or the ask that raised it. */
  asked?: string
  /** The person has answered this before. */
  again?: true
  /** How an assumption is worded. */
  words?: string
}

/** The asking phase, or the orchestrator asking about a phase (pass 0). */
export type Asking = Pick<Phase, 'plan' | 'run' | 'id' | 'pass' | 'summaryFlags'>

export async function askUser(asking: Asking, question: UserQuestion): Promise<string> {
  return (await askUserWithSource(asking, question)).answer
}

/** With the source of the answer. */
export async function askUserWithSource(asking: Asking, question: UserQuestion): Promise<UserAnswer> {
  const [said] = await askUserAll(asking, [question])
  return said!
}

/** Who decided, as the rationale of a decision. */
export const decidedBy: Readonly<Record<UserAnswer['by'], string>> = {
  person: 'the person accepted the risk',
  file: 'decided by the answers file',
  assumption: 'assumed; nobody was asked',
}

/** Asks the person everything that file and assumptions leave open, together. */
export async function askUserAll(asking: Asking, questions: readonly UserQuestion[]): Promise<UserAnswer[]> {
  const known = questions.map(
    (question) => saidBefore(asking, question) ?? fromFile(asking, question) ?? fromAssumption(asking, question),
  )
  const open = questions.filter((_, index) => known[index] === null)
  const fromPerson = open.length > 0 ? await askPeople(asking, open) : []
  const answers: UserAnswer[] = []
  for (const [index, question] of questions.entries()) {
    const given = known[index] ?? fromPerson.shift()!
    if (!given.again) await recordAnswer(asking, question, given)
    const asked = given.asked ?? question.turn
    answers.push({ answer: given.answer, by: given.by, ...(asked === undefined ? {} : { asked }) })
  }
  return answers
}

/** SG2: an answer that a later phase or pass needs again. */
function saidBefore({ plan }: Asking, { text, about, remember, leaves }: UserQuestion): UserAnswer | null {
  if (!remember) return null
  const matter = flatten(about ?? text).toLowerCase()
  const isSame = (one: { question: string; about?: string }) =>
    flatten(one.about ?? one.question).toLowerCase() === matter
  const left = leaves === undefined ? undefined : plan.left.findLast(isSame)
  if (left) return { answer: leaves!, by: 'person', again: true }
  const said = plan.clarifications.findLast(isSame)
  if (!said || said.assumed) return null
  return { answer: said.answer, by: said.fromFile ? 'file' : 'person', asked: said.asked, again: true }
}

function fromFile({ plan, id }: Asking, { text, again = [] }: UserQuestion): UserAnswer | null {
  const given = plan.input.answers.find(({ match }) => text.toLowerCase().includes(match.toLowerCase()))
  if (!given) return null
  const answer = given.answer.trim()
  if (!again.includes(answer.toLowerCase())) return { answer, by: 'file' }
  const round = `${id} ${answer.toLowerCase()}`
  const rounds = plan.rounds.get(round) ?? 0
  plan.rounds.set(round, rounds + 1)
  return rounds === 0 ? { answer: answer.toLowerCase(), by: 'file' } : null
}

function fromAssumption({ plan }: Asking, { assume, settled }: UserQuestion): UserAnswer | null {
  const taken = settled ?? (plan.input.yes ? assume : null)
  return taken && { ...taken, by: 'assumption' }
}

async function askPeople(asking: Asking, questions: readonly UserQuestion[]): Promise<UserAnswer[]> {
  const { plan, run, id } = asking
  const summaries = [...plan.summaries.values()]
  const asked = questions.map(({ text, choices, options, leaves, about, background, context }): Asked => {
    const given = choices ?? (options && [...options.map(({ choice }) => choice), ...(leaves ? [leaves] : [])])
    const stands = options?.map(({ choice, heldBy = [], follows }) => {
      return {
        question: about ?? text,
        choice,
        agents: heldBy,
        ...(follows ? { follows: explainIds(follows, summaries) } : {}),
      }
    })
    const lines = [...(background ? [background] : []), ...(options ?? []).map(optionLine)].join('\n')
    const detail = lines === '' ? {} : { detail: explainIds(lines, summaries) }
    const why = background ? { background: explainIds(background, summaries) } : {}
    const more = { ...(stands ? { stands } : {}), ...why, ...detail, ...context }
    return {
      text: explainIds(text, summaries),
      ...(given ? { choices: given } : {}),
      context: { phase: id, plan: plan.input.plan, ...more },
    }
  })
  if (asking.pass > 0) await recordWaiting(asking, asked)
  const answers = await plan.deps.activity.whileWaiting(run.runId, () =>
    askTogether(run, eventHeader(plan, run), asked),
  )
  return answers.map(({ id: asked, choice, text }) => ({ answer: choice ?? text ?? '', by: 'person', asked }))
}

function optionLine({ choice, heldBy = [], follows }: UserOption): string {
  return `- ${choice}${heldBy.length > 0 ? ` (${heldBy.join(', ')})` : ''}${follows ? `: ${follows}` : ''}`
}

/** Writes a summary that says what the plan waits for. */
async function recordWaiting({ plan, run, id, summaryFlags }: Asking, asked: readonly Asked[]): Promise<void> {
  await run.step(`phase ${id} waits`, () => {
    const block_reason = asked.map(({ text }) => text).join('\n')
    const facts = phaseSummarySchema.parse({ phase: id, status: 'needs-user-input', block_reason, flags: summaryFlags })
    writeArtefact(plan.folder, summaryFile(id), renderSummary({ ...facts, text: block_reason }))
  })
}

async function recordAnswer(
  asking: Asking,
  { text, about, remember, resolves, leaves, turn, options }: UserQuestion,
  given: UserAnswer,
): Promise<void> {
  const { plan, run, id } = asking
  const assumed = given.by === 'assumption'
  const { words = given.answer } = given
  if (assumed) {
    plan.assumptions.push(`${text} → ${words}`)
    const about = { phase: id, question: text, assumption: words }
    await emit(run, assumptionMade.create(eventHeader(plan, run), about))
  }
  if (!remember) return
  if (!assumed && given.answer === leaves) {
    plan.left.push({ phase: id, question: text, ...(about === undefined ? {} : { about }) })
    return
  }
  const { decision: sentence } = options?.find(({ choice }) => choice === given.answer) ?? {}
  const asked = given.asked ?? (assumed ? undefined : turn)
  plan.clarifications.push({
    phase: id,
    question: text,
    ...(about === undefined ? {} : { about }),
    answer: assumed ? words : given.answer,
    ...(asked === undefined ? {} : { asked }),
    ...(assumed ? { assumed } : {}),
    ...(given.by === 'file' ? { fromFile: true } : {}),
    ...(resolves === undefined ? {} : { resolves: [...resolves] }),
    ...(sentence === undefined ? {} : { sentence }),
  })
}

/** For a question that the orchestrator asks between phases. */
export function askingAbout(plan: Plan, id: Phase['id']): Asking {
  return { plan, run: plan.run, id, pass: 0, summaryFlags: [] }
}
