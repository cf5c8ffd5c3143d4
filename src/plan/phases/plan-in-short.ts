/**
 * The last state of `plan.md`: what a lead signs, in the order in which it is read. The request, the outcome in short, what is
 * open, what the person and the agents decided, the issues, and what they rest on: interfaces, tests and risks. PH6.
 */
import type { PlanDigest } from '../../rules/context/plan-digest.ts'
import { isInOwnWords } from '../../rules/plan/repeated-answers.ts'
import { cutAtBoundary } from '../../rules/text/cut-at-boundary.ts'
import { sectionUnder, withoutSections } from '../../rules/text/markdown-sections.ts'
import { oneLine } from '../../rules/text/one-line.ts'
import { closeFences, quoted, splitFrontMatter } from '../artefacts.ts'
import { flat } from '../team/phase-result.ts'
import { counted, itemSection, listSection } from '../wording.ts'
import type { SoundIssue } from './issues.ts'

const sections = [
  'Request',
  'Outcome',
  'Assumptions',
  'Issues in order',
  'Interfaces',
  'Tests',
  'Decisions',
  'Decisions replaced since',
  'Decided by you',
  'Open questions',
  'Questions answered since',
  'Risks',
  'Verdicts',
  'Could not be placed',
]

export interface SignedPlan {
  goal: string
  issues: readonly SoundIssue[]
  /** The documents in full. */
  design: string
  testPlan: string
  /** Of panels and expert review, by the name of the phase: its document, and what became of its objections. */
  judged: ReadonlyMap<string, { page: string; end: string }>
  digest: PlanDigest
  assumptions: readonly string[]
}

/** Of each section that is taken from another document. */
const longestSection = 6000

export function planInShort(page: string, signed: SignedPlan): string {
  const { goal, issues, design, testPlan, judged, digest, assumptions } = signed
  // People read it first; the front matter of the design is in design.md.
  const { text } = splitFrontMatter(page)
  // What stands between the title and the first section, and the sections that people added.
  const [head = '', ...added] = withoutSections(text, sections).split(/\n(?=## )/)
  const told = head.replace(/^# .*/, '').trim()
  const body = [
    '# Plan',
    requestSection(goal),
    outcomeSection(sectionUnder(text, 'Outcome') || told, signed),
    listSection('Open questions', openQuestionLines(digest.open)),
    ...decisionSections(digest),
    listSection('Assumptions', assumptions),
    itemSection('Issues in order', inOrder(issues).map(issueLines)),
    takenFrom('design.md', 'Interfaces', design),
    takenFrom('test-plan.md', 'Tests', testPlan, 'Tests by criterion'),
    verdictSection(judged),
    riskSection(digest),
    added.join('\n').trim(),
  ]
  return `${body.filter(Boolean).join('\n\n')}\n`
}

/** In the person's words. */
export function requestSection(goal: string): string {
  return `## Request\n\n${quoted(goal)}`
}

function outcomeSection(told: string, { issues, digest }: SignedPlan): string {
  const open = digest.open.length > 0 ? `; ${counted(digest.open.length, 'question')} open` : ''
  const design = told.replace(/^\d+ issues? to build.*$/m, '').trim()
  return ['## Outcome', design, `${counted(issues.length, 'issue')} to build${open}.`].filter(Boolean).join('\n\n')
}

/** Every issue after those that it depends on, otherwise by number. */
function inOrder(issues: readonly SoundIssue[]): SoundIssue[] {
  const placed: SoundIssue[] = []
  const isPlaced = (number: number) => placed.some((one) => one.number === number)
  let left = [...issues]
  while (left.length > 0) {
    const next = left.find(({ depends_on }) => depends_on.every(isPlaced)) ?? left[0]!
    placed.push(next)
    left = left.filter((one) => one !== next)
  }
  return placed
}

/** The issue, its criteria in a line each, and its tests in one. */
function issueLines(issue: SoundIssue): string {
  const { number, title, size, depends_on, acceptance_criteria, target_path, test_path } = issue
  const after = depends_on.length > 0 ? `, after ${depends_on.map((one) => `#${one}`).join(', ')}` : ''
  const tests = testsIn(issue)
  return [
    `**#${number} ${oneLine(title, 200)}** (${size}${after}): built as \`${target_path}\`, tested in \`${test_path}\``,
    ...acceptance_criteria.map(({ id, text, kind = 'new' }) => {
      return `  - ${id}${kind === 'new' ? '' : ` (${kind})`}: ${oneLine(text, 200)}`
    }),
    ...(tests.length > 0 ? [`  - tests: ${tests.join('; ')}`] : []),
  ].join('\n')
}

/** The tests that the builder is asked for: a row of the test plan by its id, anything else in short. */
function testsIn({ context = '' }: SoundIssue): string[] {
  const [, list = ''] = /^Tests that the plan asks for:\n((?:- .*\n?)+)/m.exec(context) ?? []
  return list
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => /^- ([A-Z]{1,3}-?\d[\w.-]*)/.exec(line)?.[1] ?? oneLine(line.slice(2), 120))
}

function takenFrom(file: string, title: string, document: string, heading = title): string {
  const text = sectionUnder(splitFrontMatter(document).text, heading)
  if (text === '') return ''
  return `## ${title}\n\n${closeFences(cutAtBoundary(text, longestSection, `… ([${file}](${file}) has more)`))}`
}

/** The line with which each document says how the plan was judged, and what became of it. */
function verdictSection(judged: SignedPlan['judged']): string {
  const lines = [...judged].flatMap(([name, { page, end }]) => {
    const { text } = splitFrontMatter(page)
    const told = sectionUnder(text, 'Panel') || text.replace(/^# .*/, '').trim()
    const [line = ''] = told.replaceAll('**', '').split('\n')
    const verdict = oneLine(line.replace(/^Outcome: /, '').replace(/^([A-Z]+): /, '$1 '), 200)
    return line === '' ? [] : [`${name}: ${end === '' ? verdict : `${verdict.replace(/\.$/, '')}; ${end}`}`]
  })
  return listSection('Verdicts', lines)
}

/** Each answer is said once: a decision that repeats it is only named. */
function decisionSections({ decisions, answers }: PlanDigest): string[] {
  return [
    listSection(
      'Decided by you',
      answers.map(({ phase, also, decision: { id, decision, question, answer } }) => {
        const where = `**${id}** (phase ${phase}${also.length > 0 ? `, also ${also.join(', ')}` : ''})`
        // Without a sentence of the agents: the question and the answer say it all.
        if (question && answer && isInOwnWords({ decision, answer }))
          return `${where}: ${flat(question)} → ${flat(answer)}`
        const asked = question ? ` (asked: ${flat(question)} You said: ${flat(answer ?? '')})` : ''
        return `${where}: ${flat(decision)}${asked}`
      }),
    ),
    listSection(
      'Decisions',
      decisions.map(({ phase, also, decision: { id, decision, confidence, rationale } }) => {
        const too = also.length > 0 ? `, says ${also.join(', ')} too` : ''
        return `**${id}** (phase ${phase}, ${confidence}${too}): ${flat(decision)}${rationale ? ` — ${flat(rationale)}` : ''}`
      }),
    ),
  ]
}

function riskSection({ risks, minorRisks }: PlanDigest): string {
  return listSection('Risks', [
    ...riskLines(risks),
    ...(minorRisks > 0 ? [`${counted(minorRisks, 'minor risk')} in [tasks.md](tasks.md)`] : []),
  ])
}

export function riskLines(risks: PlanDigest['risks']): string[] {
  return risks.map(({ phase, risk: { id, risk, severity, mitigation } }) => {
    return `**${id}** (phase ${phase}, ${severity}): ${flat(risk)}${mitigation ? ` → ${flat(mitigation)}` : ''}`
  })
}

export function openQuestionLines(open: PlanDigest['open']): string[] {
  return open.map(({ phase, question: { id, question, priority } }) => {
    return `**${id}** (phase ${phase}, ${priority}): ${flat(question)}`
  })
}
