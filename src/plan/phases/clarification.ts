/** Phase 3: is the request clear enough to design for? Where not, the weakest side of it is asked about. SG. */
import { type Dimension, dimensions, rubric } from '../../rules/question-bank.ts'
import {
  type SpecifyLimits,
  type SpecifyScores,
  type SpecifyVerdict,
  specify,
  specifyProgress,
} from '../../rules/specify.ts'
import { askMember } from '../ask-member.ts'
import { askUser } from '../ask-user.ts'
import { specifyScored } from '../events.ts'
import type { PhaseResult } from '../phase-result.ts'
import { countFailure, note, type Phase, placeOf } from '../plan.ts'
import { scoresSchema } from '../replies.ts'
import { insist } from '../teamwork.ts'

export async function clarification(phase: Phase): Promise<PhaseResult> {
  const { plan, run, flags } = phase
  const gated = flags.has('s12_specify_gate')
  const limits = limitsOf(phase)
  const researchDegraded = plan.summaries
    .get('2')
    ?.flags.some((flag) => flag === 'research_degraded' || flag === 'degraded')
  let before: SpecifyScores | undefined
  const history: string[] = []
  for (let iteration = 1; ; iteration++) {
    const scored = await score(phase, iteration)
    if (!scored) {
      note(phase, 'degraded', 'specify_unscored')
      return result(phase, null, null, history)
    }
    const verdict = specify(
      scored.scores,
      { iteration, informational: !gated, researchDegraded: researchDegraded ?? false, research: scored.research },
      limits,
    )
    const progress = before ? specifyProgress(before, scored.scores) : undefined
    if (progress) history.push(progress)
    await run.append(
      specifyScored.create(placeOf(plan, run), {
        iteration,
        scores: scored.scores,
        score: verdict.score,
        threshold: researchDegraded ? limits.degraded_threshold : limits.threshold,
        passed: verdict.passed,
        ...(verdict.weakest ? { weakest: verdict.weakest } : {}),
        ...(progress ? { progress } : {}),
      }),
    )
    before = scored.scores
    if (verdict.proceed) {
      note(phase, ...verdict.flags)
      return result(phase, scored.scores, verdict, history)
    }
    for (const question of verdict.questions) await askUser(phase, asked(question, verdict, iteration, progress))
    if (!verdict.passed) await countFailure(phase, 'specify_gate')
  }
}

function asked(question: string, verdict: SpecifyVerdict, iteration: number, progress: string | undefined) {
  return {
    text: question,
    assume: { answer: 'not answered', words: 'not answered; the plan takes the smallest sensible reading' },
    context: { dimension: verdict.weakest, score: verdict.score, iteration, ...(progress ? { progress } : {}) },
  }
}

async function score(phase: Phase, iteration: number) {
  const { plan } = phase
  const said = plan.clarifications.map(({ question, answer }) => `- ${question}\n  ${answer}`).join('\n')
  const scale = dimensions.map(
    (name) => `- ${name}: 0 = ${rubric[name][0]}; 1 = ${rubric[name][1]}; 2 = ${rubric[name][2]}`,
  )
  const risks =
    plan.risk.flags.length > 0 ? `\nRisk categories found in the request: ${plan.risk.flags.join(', ')}.` : ''
  const answer = await insist(phase, () =>
    askMember(phase, {
      kind: 'phase',
      agent: plan.around.coordinator(),
      round: iteration,
      task: `Score how well the request is specified, each dimension 0, 1 or 2:\n${scale.join('\n')}${risks}`,
      acceptance: ['Every score follows from what is written, not from what could be meant'],
      form: 'scores',
      ...(said ? { note: `The person has answered:\n${said}` } : {}),
      schema: scoresSchema,
    }),
  )
  return answer?.value ?? null
}

function limitsOf({ plan }: Phase): SpecifyLimits {
  const { threshold, max_iterations, low_score_threshold, degraded_threshold } = plan.around.settings.specify_gate
  return { threshold, max_iterations, low_score_threshold, degraded_threshold }
}

function result(
  phase: Phase,
  scores: SpecifyScores | null,
  verdict: SpecifyVerdict | null,
  history: string[],
): PhaseResult {
  const { plan } = phase
  if (verdict) plan.signals = { ...plan.signals, specify_score: verdict.score }
  const bars = scores
    ? (Object.keys(scores) as Dimension[]).map(
        (name) => `| ${name} | ${'█'.repeat(scores[name])}${'░'.repeat(2 - scores[name])} | ${scores[name]}/2 |`,
      )
    : []
  const answers = plan.clarifications.map(
    ({ question, answer }) => `- **${oneLineOf(question)}**\n  ${oneLineOf(answer)}`,
  )
  const standing = verdict
    ? `Score **${verdict.score}/10**: ${verdict.passed ? 'clear enough to design for' : 'not passed; the plan goes on, flagged'}.`
    : 'The request could not be scored; the plan goes on, flagged.'
  const body = [
    '## Specify gate',
    standing,
    bars.length > 0 ? ['| dimension | | |', '| --- | --- | --- |', ...bars].join('\n') : '',
    history.length > 0 ? `## Progress\n\n${history.map((line) => `- ${line}`).join('\n')}` : '',
    answers.length > 0 ? `## Answers\n\n${answers.join('\n')}` : '',
  ]
  return {
    title: 'Clarification',
    body: body.filter(Boolean).join('\n\n'),
    text: `${standing} ${plan.clarifications.map(({ question, answer }) => `${oneLineOf(question)} ${oneLineOf(answer)}`).join(' ')}`.slice(
      0,
      1500,
    ),
    decisions: plan.clarifications.map(({ question, answer }, index) => ({
      id: `D3-${index + 1}`,
      decision: `${oneLineOf(question)} → ${oneLineOf(answer)}`,
      confidence: 'HIGH' as const,
    })),
    questions: [],
    risks: [],
    more: verdict && scores ? { specify_score: verdict.score, specify_dimensions: { ...scores } } : {},
  }
}

function oneLineOf(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 400)
}
