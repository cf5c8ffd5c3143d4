/** Phase 9: turns the plan into issues, and each issue into a spec to build. PH6. */
import { stringify } from 'yaml'
import type { z } from 'zod'
import { type PlanDigest, planDigest } from '../../rules/context/plan-digest.ts'
import { dissentsToNote } from '../../rules/plan/amendment.ts'
import { wordsOfIssue } from '../../rules/plan/builder-context.ts'
import { notedTests } from '../../rules/plan/noted-tests.ts'
import type { KeyDecision, PhaseSummary } from '../../rules/plan/phase-summary.ts'
import { phaseById } from '../../rules/plan/phase-table.ts'
import {
  forgottenTests,
  testIds,
  testsInWords,
  unknownReferences,
  withForgottenTests,
} from '../../rules/plan/plan-references.ts'
import { readArtefact } from '../artefacts.ts'
import { addFlags, type Phase } from '../plan.ts'
import { comparedIssuesSchema, issuesSchema, readContradictions } from '../replies.ts'
import { askMember } from '../team/ask-member.ts'
import { contradictionWords, keepOpen, settleContradictions } from '../team/consistency.ts'
import { askLateQuestions } from '../team/open-questions.ts'
import { flat, type PhaseResult, personsDecisions, questionsLeft } from '../team/phase-result.ts'
import { askCoordinator } from '../team/synthesise.ts'
import { bullets, turnout } from '../wording.ts'
import { specWithAnswers } from './clarification.ts'
import { describeIssues } from './describe-issues.ts'
import { byRule, type SoundIssue, soundIssues, specOf } from './issues.ts'
import { openQuestionLines, planInShort, riskLines, type SignedPlan } from './plan-in-short.ts'
import { verdictEnd } from './verdict-ends.ts'

export async function completion(
  phase: Phase,
): Promise<PhaseResult & { issues: SoundIssue[]; contradictions: string[]; openQuestions: string[] }> {
  const { plan } = phase
  await askLateQuestions(phase)
  // RK4: a small plan is compared by the agent that writes its issues.
  let checked = plan.input.small ? null : await settleContradictions(phase)
  let answer = await askCoordinator(phase, () => askIssues(phase, { rulings: checked?.rulings }))
  const named = plan.input.small ? readContradictions(answer?.value) : []
  if (named.length > 0) {
    checked = await settleContradictions(phase, named)
    answer = await askCoordinator(phase, () => askIssues(phase, { rulings: checked?.rulings }))
  }
  const { feature } = plan.input
  const earlier = [...plan.summaries.values()]
  const before = [...earlier.flatMap(({ key_decisions }) => key_decisions), ...(checked?.decisions ?? [])]
  const decided = [...before, ...personsDecisions(phase)]
  if (!answer) addFlags(phase, 'degraded', 'issues_by_rule')
  else answer = await withKnownReferences(phase, answer, decided)
  const { decisions, risks, section, ends } = await keepOpen(phase, readContradictions(answer?.value), checked)
  const contradictions = ends.filter(({ end }) => end === 'open')
  const testPlan = testPlanOf(phase)
  const listed = withForgottenTests(answer?.value.issues ?? byRule(plan.input.goal), testPlan).map((issue) => ({
    ...issue,
    tests: testsInWords(issue, testPlan),
  }))
  const noted = notedTests(dissentsToNote(plan.summaries.get('8') ?? {}), listed.map(wordsOfIssue))
  const planned = listed.map((issue, index) => ({ ...issue, tests: [...issue.tests, ...noted[index]!] }))
  const { issues, mended } = soundIssues(planned, feature, plan.facts, decided, contradictions)
  addFlags(phase, ...mended)
  const specs = issues.map((issue) => [
    `specs/${feature}-${issue.number}.yaml`,
    // People read and edit it: every line as it is.
    stringify(specOf(feature, issue), { blockQuote: 'literal', lineWidth: 0 }),
  ])
  const degraded = [...earlier, { phase: phase.id, flags: phase.summaryFlags }].flatMap(shortfall)
  const own = {
    phase: phase.id,
    key_decisions: [...decisions, ...personsDecisions(phase)],
    open_questions: [],
    closed_questions: questionsLeft(phase),
  }
  const digest = planDigest([...earlier, { ...own, risks_identified: risks }])
  const open = openQuestionLines(digest.open)
  const short = readArtefact(plan.folder, 'plan.md')
  return {
    title: 'Tasks',
    body: [
      describeIssues(issues, { carried: riskLines(digest.carried), open, assumptions: plan.assumptions, degraded }),
      section,
    ]
      .filter(Boolean)
      .join('\n\n'),
    text:
      answer?.value.summary ??
      `${issues.length} ${issues.length === 1 ? 'issue' : 'issues'}: ${issues.map(({ title }) => title).join('; ')}`.slice(
        0,
        1500,
      ),
    decisions,
    questions: [],
    risks,
    files: {
      'issues.json': `${JSON.stringify({ feature, ...(degraded.length > 0 ? { degraded } : {}), issues }, null, 2)}\n`,
      ...Object.fromEntries(specs),
      ...specWithAnswers(phase).files,
      ...(short === null
        ? {}
        : {
            'plan.md': planInShort(short, {
              goal: plan.input.goal,
              issues,
              design: designOf(phase),
              testPlan,
              judged: judgedIn(phase, digest),
              digest,
              assumptions: plan.assumptions,
            }),
          }),
    },
    issues,
    contradictions: contradictions.map(contradictionWords),
    openQuestions: digest.open.map(({ question: { id, question } }) => `${id}: ${flat(question)}`),
  }
}

interface IssuesAgain {
  /** What the person ruled on contradictions. */
  rulings?: readonly string[] | undefined
  /** An earlier list, and what is wrong with it. */
  own?: string
  faults?: string
}

function askIssues(phase: Phase, { rulings = [], own, faults }: IssuesAgain) {
  const compare =
    'Compare specification, design, test plan and decisions first: list pairs of statements that cannot both hold in "contradictions".'
  // RV5: where one ask has compared the documents, nobody is asked for it again.
  const compares = phase.plan.input.small === true || phase.summaryFlags.includes('consistency_unchecked')
  // The accumulated context has them, with their ids, unless the settings leave decisions out of it.
  const untold = phase.settings.context.fields.includes('key_decisions') ? [] : rulings
  const notes = [untold.length > 0 ? `The person has decided:\n${bullets(untold)}` : '', faults ?? ''].filter(Boolean)
  return askMember(phase, {
    kind: 'phase',
    agent: phase.settings.staff.coordinator,
    round: own === undefined ? 1 : 2,
    task: `Turn the plan into issues that one agent can build and verify each, at most five criteria and under 500 changed lines an issue. The builder sees only its issue, so the issue carries what it needs: in "decisions" the ids it must follow, in "interface" the signatures and types of the design that it makes or uses, in "tests" the rows of the test plan that prove it, in "files" every path it reads or changes. A criterion is "new" if the work makes it true, "keep" if it holds today and must still hold, "review" if no test can check it (what a document says, what a type declares): the reviewer then does, but work on code needs at least one criterion with a test. Carried risks become criteria or issues of their own; documentation is part of the issue it describes.${compares ? `\n${compare}` : ''}`,
    acceptance: [
      'Every criterion can be tested or is marked "review", and every requirement of the request has one',
      'Dependencies name issues of this list and form no circle',
      'No issue contradicts a decision, the design or the test plan',
    ],
    form: compares ? 'issues and contradictions' : 'issues',
    ...(own === undefined ? {} : { own, optional: true }),
    ...(notes.length > 0 ? { note: notes.join('\n\n') } : {}),
    schema: compares ? comparedIssuesSchema : issuesSchema,
  })
}

type IssuesAnswer = { text: string; value: z.infer<typeof issuesSchema>; ask: string }

/** PH6: a list that names decisions or tests which do not exist, or of several issues forgets tests, is sent back once. */
async function withKnownReferences(
  phase: Phase,
  answer: IssuesAnswer,
  decided: readonly KeyDecision[],
): Promise<IssuesAnswer> {
  const testPlan = testPlanOf(phase)
  const unknown = unknownReferences(answer.value.issues, decided, testPlan)
  const forgotten = forgottenTests(answer.value.issues, testPlan)
  if (unknown.length === 0 && forgotten.length === 0) return answer
  const known = [...decided.map(({ id }) => id), ...testIds(testPlan)].join(', ')
  const faults = [
    ...(unknown.length > 0 ? [`These do not exist: ${unknown.join(', ')}. The plan has: ${known || 'none'}.`] : []),
    ...(forgotten.length > 0
      ? [`No issue has these rows of the test plan: ${forgotten.join(', ')}. Add each to the issue that it proves.`]
      : []),
    'Give the whole list again.',
  ].join(' ')
  const again = await askIssues(phase, { own: answer.text, faults })
  return again.ok ? again : answer
}

function designOf({ plan }: Phase): string {
  return readArtefact(plan.folder, phaseById('4').artefact) ?? ''
}

/** What panels and reviewers wrote and what became of it, by the name of their phase. */
function judgedIn({ plan }: Phase, { carried }: Pick<PlanDigest, 'carried'>): SignedPlan['judged'] {
  return new Map(
    (['6', '6b', '8'] as const).flatMap((id) => {
      const { name, artefact } = phaseById(id)
      const summary = plan.summaries.get(id)
      const page = summary ? readArtefact(plan.folder, artefact) : null
      return page === null ? [] : [[name, { page, end: verdictEnd(summary!, carried) }] as const]
    }),
  )
}

function testPlanOf({ plan }: Phase): string {
  return readArtefact(plan.folder, phaseById('7').artefact) ?? ''
}

/** What builders must know about a degraded phase. */
function shortfall({
  phase,
  flags,
  answered,
  missing,
}: Pick<PhaseSummary, 'phase' | 'flags'> & Partial<Pick<PhaseSummary, 'answered' | 'missing'>>): string[] {
  if (!flags.includes('degraded')) return []
  const words = [answered ? turnout(answered, missing ?? []) : '', flags.join(', ')].filter(Boolean)
  return [`phase ${phase} (${phaseById(phase).name}): ${words.join('; ')}`]
}
