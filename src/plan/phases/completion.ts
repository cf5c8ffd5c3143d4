/** Phase 9: the plan becomes issues, and each issue a spec that can be built. PH6. */
import { stringify } from 'yaml'
import { graphFaults } from '../../rules/issue-graph.ts'
import { askMember } from '../ask-member.ts'
import type { PhaseResult } from '../phase-result.ts'
import { note, type Phase } from '../plan.ts'
import { issuesSchema, type PlannedIssue } from '../replies.ts'
import { insist } from '../teamwork.ts'

export async function completion(phase: Phase): Promise<PhaseResult & { issues: PlannedIssue[] }> {
  const { plan } = phase
  const answer = await insist(phase, () =>
    askMember(phase, {
      kind: 'phase',
      agent: plan.around.coordinator(),
      round: 1,
      task: `Turn the plan into issues that one agent can build and verify each: {"issues": [{"number", "title", "body", "acceptance_criteria": [{"id", "text"}], "depends_on": [number], "size": "small" | "medium" | "large", "business_value": 0 to 1, "risk": 0 to 1, "target_path", "test_path"}], "summary"}. At most five criteria an issue; risks that are carried become criteria or issues of their own.`,
      acceptance: ['Every criterion can be tested', 'Dependencies name issues of this list and form no circle'],
      form: 'issues, as the task says',
      schema: issuesSchema,
    }),
  )
  if (!answer) note(phase, 'degraded', 'issues_by_rule')
  const issues = sound(phase, answer ? numbered(answer.value.issues) : byRule(phase))
  const file = { feature: plan.input.feature, issues: issues.map((issue) => ({ ...issue, ...pathsOf(phase, issue) })) }
  const specs = issues.map((issue) => [
    `specs/${plan.input.feature}-${issue.number}.yaml`,
    stringify(specOf(phase, issue)),
  ])
  return {
    title: 'Tasks',
    body: describe(issues, plan.assumptions),
    text:
      answer?.value.summary ??
      `${issues.length} ${issues.length === 1 ? 'issue' : 'issues'}: ${issues.map(({ title }) => title).join('; ')}`.slice(
        0,
        1500,
      ),
    decisions: [],
    questions: [],
    risks: [],
    ...(answer ? { ask: answer.ask } : {}),
    files: { 'issues.json': `${JSON.stringify(file, null, 2)}\n`, ...Object.fromEntries(specs) },
    issues,
  }
}

type Numbered = PlannedIssue & { number: number }

function numbered(issues: readonly PlannedIssue[]): Numbered[] {
  const given = issues.map(({ number }) => number)
  const isSound = given.every((number) => number !== undefined) && new Set(given).size === given.length
  return issues.map((issue, index) => ({ ...issue, number: isSound ? issue.number! : index + 1 }))
}

/** A dependency that does not exist, or a circle, would wait for ever: it is taken out, and said so. */
function sound(phase: Phase, issues: Numbered[]): Numbered[] {
  const numbers = new Set(issues.map(({ number }) => number))
  const known = issues.map((issue) => ({
    ...issue,
    depends_on: issue.depends_on.filter((one) => numbers.has(one) && one !== issue.number),
  }))
  const lost = known.some((issue, index) => issue.depends_on.length < issues[index]!.depends_on.length)
  const faults = graphFaults(known.map(({ number, depends_on }) => ({ number, depends_on })))
  const circular = faults.errors.length > 0
  if (lost || circular) note(phase, 'dependencies_mended')
  return circular
    ? known.map((issue) => ({ ...issue, depends_on: issue.depends_on.filter((one) => one < issue.number) }))
    : known
}

/** Without a coordinator: one issue that holds the whole request. */
function byRule({ plan }: Phase): Numbered[] {
  const title = plan.input.goal.replace(/\s+/g, ' ').slice(0, 80)
  const criterion = { id: 'c1', text: plan.input.goal.replace(/\s+/g, ' ').slice(0, 500) }
  return [
    {
      number: 1,
      title,
      body: plan.input.goal,
      acceptance_criteria: [criterion],
      depends_on: [],
      size: 'medium',
      business_value: 0,
      risk: 0,
    },
  ]
}

function pathsOf({ plan }: Phase, { number, target_path, test_path }: Numbered) {
  const { feature } = plan.input
  const extension =
    plan.facts.languages[0]?.name === 'Python' ? 'py' : plan.facts.languages[0]?.name === 'JavaScript' ? 'js' : 'ts'
  return {
    target_path: target_path ?? `src/${feature}-${number}.${extension}`,
    test_path:
      test_path ??
      (extension === 'py'
        ? `tests/test_${feature.replaceAll('-', '_')}_${number}.py`
        : `test/${feature}-${number}.test.${extension}`),
  }
}

function specOf(phase: Phase, issue: Numbered) {
  const { target_path, test_path } = pathsOf(phase, issue)
  return {
    id: `${phase.plan.input.feature}-${issue.number}`,
    description: `${issue.title}${issue.body ? `\n\n${issue.body}` : ''}`,
    acceptanceCriteria: issue.acceptance_criteria,
    targetPath: target_path,
    testPath: test_path,
  }
}

function describe(issues: readonly Numbered[], assumptions: readonly string[]): string {
  const graph = [
    '```mermaid',
    'graph TD',
    ...issues.map(
      ({ number, title }) => `  i${number}["#${number} ${title.replace(/["[\]{}|<>]/g, ' ').slice(0, 60)}"]`,
    ),
    ...issues.flatMap(({ number, depends_on }) => depends_on.map((one) => `  i${one} --> i${number}`)),
    '```',
  ]
  const parts = issues.map(({ number, title, body, acceptance_criteria, depends_on, size, business_value, risk }) =>
    [
      `## #${number} ${title.replace(/\s+/g, ' ')}`,
      body.replace(/^(#+) /gm, '###$1 '),
      acceptance_criteria.map(({ id, text }) => `- [ ] **${id}**: ${text.replace(/\s+/g, ' ')}`).join('\n'),
      `_Size ${size}, value ${business_value}, risk ${risk}${depends_on.length > 0 ? `, after ${depends_on.map((one) => `#${one}`).join(', ')}` : ''}._`,
    ]
      .filter(Boolean)
      .join('\n\n'),
  )
  const assumed =
    assumptions.length > 0
      ? `## Assumptions\n\n${assumptions.map((one) => `- ${one.replace(/\s+/g, ' ')}`).join('\n')}`
      : ''
  return [graph.join('\n'), ...parts, assumed].filter(Boolean).join('\n\n')
}
