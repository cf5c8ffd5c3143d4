/** Phase 3: scores whether the request is clear enough to design for, and asks the person about its weakest dimension. SG. */
import { decisionsInForce } from '../../rules/context/context.ts'
import { type AnsweredInPassing, answeredInPassing } from '../../rules/context/open-questions.ts'
import { type Dimension, dimensions, rubric } from '../../rules/plan/question-bank.ts'
import { type SpecifyScores, type SpecifyVerdict, specify, specifyProgress } from '../../rules/plan/specify.ts'
import { withSection } from '../../rules/text/markdown-sections.ts'
import { readArtefact, splitFrontMatter } from '../artefacts.ts'
import { specifyScored } from '../events.ts'
import {
  addFlags,
  type Clarification,
  countFailure,
  countSuccess,
  emit,
  eventHeader,
  isLeft,
  latestAnswers,
  type Phase,
} from '../plan.ts'
import { scoresSchema } from '../replies.ts'
import { askMember } from '../team/ask-member.ts'
import { askUserAll, type UserQuestion } from '../team/ask-user.ts'
import { openFor } from '../team/open-questions.ts'
import { flat, type PhaseResult, personsAnswers } from '../team/phase-result.ts'
import { askCoordinator } from '../team/synthesise.ts'
import { answerItem, cell, itemSection, listSection } from '../wording.ts'

export async function clarification(phase: Phase): Promise<PhaseResult> {
  // RK4: in rapid mode the score decides nothing, so a small change is not scored.
  if (phase.plan.input.small) {
    await askOpen(phase)
    return result(phase, null, 'Not scored: the change is small.', [])
  }
  const gated = phase.flags.has('s12_specify_gate')
  const limits = phase.settings.specify
  const researchDegraded = Boolean(
    phase.plan.summaries.get('2')?.flags.some((flag) => flag === 'research_degraded' || flag === 'degraded'),
  )
  const threshold = researchDegraded ? limits.degraded_threshold : limits.threshold
  let before: SpecifyScores | undefined
  const history: string[] = []
  for (let iteration = 1; ; iteration++) {
    const scored = await score(phase, iteration, threshold)
    if (!scored) {
      await askOpen(phase)
      addFlags(phase, 'degraded', 'specify_unscored')
      return result(phase, null, 'The request could not be scored; the plan continues with a flag.', history)
    }
    const { scores, research, questions: own, reasons = {}, answered = [], ask } = scored
    resolveInPassing(phase, answered)
    const open = openFor(phase)
    const circumstances = {
      iteration,
      informational: !gated,
      researchDegraded,
      research,
      open: open.map(({ question }) => question),
      ...(own ? { own } : {}),
      matters: [...stillOpen(phase), ...(research?.unknown ? [research.unknown] : [])],
      reasons: definedOf(reasons),
      asked: phase.plan.clarifications.map(({ question }) => question),
    }
    let verdict = specify(scores, circumstances, limits)
    const progress = before ? specifyProgress(before, scores) : undefined
    if (progress) history.push(progress)
    if (verdict.passed) countSuccess(phase, 'specify_gate')
    // A round of questions that did not pass the gate is a failure; when the breaker trips it was the last.
    else if (before && (await countFailure(phase, 'specify_gate')) === 'escalate')
      verdict = specify(scores, { ...circumstances, iteration: limits.max_iterations + 1 }, limits)
    const relaxed = researchDegraded && limits.degraded_threshold < limits.threshold
    await emitScore(phase, iteration, scores, verdict, { threshold, progress, gated, relaxed })
    before = scores
    const goOn = async ({ passed, score, flags }: SpecifyVerdict) => {
      await askOpen(phase, ask)
      addFlags(phase, ...flags)
      const lenient = passed && relaxed && score < limits.threshold
      if (lenient) addFlags(phase, 'threshold_relaxed')
      const needed = lenient
        ? `; ${limits.threshold} is the usual threshold, ${threshold} applies because research is degraded`
        : ''
      return result(
        phase,
        { scores, score, reasons },
        `Score **${score}/10**: ${standingOf(passed, gated)}${needed}.`,
        history,
      )
    }
    if (verdict.proceed) return goOn(verdict)
    const answers = await askUserAll(
      phase,
      verdict.questions.map((text) => {
        const raised = open.find(({ question }) => question === text)
        return { ...asked(text, verdict, iteration, progress), turn: ask, ...(raised ? { resolves: raised.ids } : {}) }
      }),
    )
    // Only assumptions were given: neither another score nor another question would tell more.
    if (answers.every(({ by }) => by === 'assumption'))
      return goOn(specify(scores, { ...circumstances, iteration: limits.max_iterations + 1 }, limits))
  }
}

/** What the phases before left open, of any rank. */
function stillOpen({ plan }: Phase): string[] {
  const { resolved } = decisionsInForce([...plan.summaries.values()])
  const raised = [...plan.summaries.values()].flatMap(({ open_questions }) => open_questions)
  return raised.flatMap(({ id, question }) => (resolved.has(id) ? [] : [question]))
}

function definedOf<Key extends string>(values: { [key in Key]?: string | undefined }): { [key in Key]?: string } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never
}

/** SG2: an answer resolves the open questions too that the scorer says it settles. */
function resolveInPassing(phase: Phase, named: readonly AnsweredInPassing[]): void {
  const answers = personsAnswers(phase)
  for (const { question, by } of answeredInPassing(named, [...phase.plan.summaries.values()], [...answers.keys()])) {
    const answer = answers.get(by)!
    answer.resolves = [...new Set([...(answer.resolves ?? []), question])]
  }
}

/** SG2: the design waits for the agents' HIGH questions, also if the gate passes. */
async function askOpen(phase: Phase, turn?: string): Promise<void> {
  await askUserAll(
    phase,
    openFor(phase).map(({ ids, question }) => ({
      text: question,
      assume: { answer: '', words: 'not answered; the plan assumes the smallest sensible scope' },
      remember: true,
      resolves: ids,
      ...(turn === undefined ? {} : { turn }),
    })),
  )
}

function asked(
  text: string,
  { weakest, about = weakest, score }: SpecifyVerdict,
  iteration: number,
  progress?: string,
): UserQuestion {
  return {
    text,
    assume: { answer: '', words: 'not answered; the plan assumes the smallest sensible scope' },
    remember: true,
    context: { dimension: about, score, iteration, ...(progress ? { progress } : {}) },
  }
}

/** SG3: with the gate off, nothing is flagged. */
function standingOf(passed: boolean, gated: boolean): string {
  if (passed) return 'clear enough to design for'
  return gated ? 'not passed; the plan continues with a flag' : 'for information only; the gate is off'
}

async function emitScore(
  { plan, run }: Phase,
  iteration: number,
  scores: SpecifyScores,
  { score, passed, weakest }: SpecifyVerdict,
  { threshold, progress, gated, relaxed }: { threshold: number; progress?: string; gated: boolean; relaxed: boolean },
): Promise<void> {
  const more = {
    ...(weakest ? { weakest } : {}),
    ...(progress ? { progress } : {}),
    ...(gated ? {} : { informational: true }),
    ...(relaxed ? { relaxed } : {}),
  }
  await emit(
    run,
    specifyScored.create(eventHeader(plan, run), { iteration, scores, score, threshold, passed, ...more }),
  )
}

async function score(phase: Phase, iteration: number, passing: number) {
  const { plan } = phase
  const ids = new Map([...personsAnswers(phase)].map(([id, one]) => [one, `${id}: `]))
  const said = plan.clarifications
    .map((one) => `- ${ids.get(one) ?? ''}${answerItem(one.question, one.answer)}`)
    .join('\n')
  const scale = dimensions.map(
    (name) => `- ${name}: 0 = ${rubric[name][0]}; 1 = ${rubric[name][1]}; 2 = ${rubric[name][2]}`,
  )
  const risks =
    plan.risk.flags.length > 0 ? `\nRisk categories found in the request: ${plan.risk.flags.join(', ')}.` : ''
  const answer = await askCoordinator(phase, () =>
    askMember(phase, {
      kind: 'phase',
      agent: phase.settings.staff.coordinator,
      round: iteration,
      task: `Score how well the request is specified, each dimension 0, 1 or 2:\n${scale.join('\n')}${risks}\nA total of ${passing} passes.`,
      acceptance: ['Every score follows from what is written, not from what could be meant'],
      form: 'scores',
      ...(said ? { note: `The person has answered:\n${said}` } : {}),
      schema: scoresSchema,
    }),
  )
  return answer ? { ...answer.value, ask: answer.ask } : null
}

function result(
  phase: Phase,
  scored: { scores: SpecifyScores; score: number; reasons: { [name in Dimension]?: string | undefined } } | null,
  standing: string,
  history: string[],
): PhaseResult {
  const own = phase.plan.clarifications.filter(({ phase: where }) => where === '3')
  const scores = scored?.scores
  const bars = scores
    ? dimensions.map(
        (name) =>
          `| ${name} | ${'█'.repeat(scores[name])}${'░'.repeat(2 - scores[name])} | ${scores[name]}/2 | ${cell(scored?.reasons[name] ?? '')} |`,
      )
    : []
  const body = [
    '## Specify gate',
    standing,
    bars.length > 0 ? ['| dimension | | | why |', '| --- | --- | --- | --- |', ...bars].join('\n') : '',
    listSection('Progress', history),
    itemSection('Answers', own.map(answerOf)),
  ]
  return {
    title: 'Clarification',
    body: body.filter(Boolean).join('\n\n'),
    // Later phases get the person's answers as decisions.
    text: [standing, ...own.filter(({ assumed }) => assumed).map((one) => `- ${answerOf(one)}`)]
      .join('\n')
      .slice(0, 1500),
    decisions: [],
    questions: [],
    risks: [],
    more: scored ? { specify_score: scored.score, specify_dimensions: { ...scored.scores } } : {},
    ...specWithAnswers(phase),
  }
}

/** The specification with everything that the person has answered so far, in any phase. */
export function specWithAnswers({ plan }: Phase): { files?: Record<string, string> } {
  const spec = readArtefact(plan.folder, 'spec.md')
  const said = latestAnswers(plan.clarifications)
  if (spec === null || said.length === 0) return {}
  return { files: { 'spec.md': withAnswers(spec, said.map(answerOf)) } }
}

/** What was asked, without who asked it. */
function answerOf(one: Clarification): string {
  const { question, about = question, answer, assumed } = one
  const remark = assumed ? '_(assumed)_' : isLeft(one) ? '_(left to the team)_' : ''
  return answerItem(`**${flat(about)}**`, answer, remark)
}

/** Renews the section of answers; what people and later phases wrote around it stays. */
function withAnswers(spec: string, answers: readonly string[]): string {
  const { front, text } = splitFrontMatter(spec)
  const page = withSection(text, { heading: 'Clarified', text: itemSection('Clarified', answers) })
  return `${front === null ? '' : `---\n${front}\n---\n\n`}${page}\n`
}
