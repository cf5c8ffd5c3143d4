/** Connects a build to the issue loop: records its progress, and analyses each failed attempt by rule or by the coordinator. FA. */
import type { Advice, FailedAttempt, IssueObserver } from '../../build/issue-observer.ts'
import type { Node } from '../../build/node.ts'
import { askInStep } from '../../kernel/runs/ask-in-run.ts'
import {
  analyseFailure,
  type FailureAnalysis,
  failureAnalysisReply,
  whyConsult,
} from '../../rules/issues/failure-analysis.ts'
import type { Problem } from '../../rules/schema/problem.ts'
import { problemText } from '../../rules/schema/problem-text.ts'
import { errorClassesIn } from '../../rules/text/error-class.ts'
import type { ShipDeps } from '../deps.ts'
import { failureAnalysed, implementationCompleted, retryStarted, testsWritten, verificationFailed } from '../events.ts'
import { eventHeader, readFeature } from '../feature-state.ts'
import { type FeatureView, findIssue, type IssueView } from '../view.ts'
import { finishedFacts, issueFacts } from './coordinator-facts.ts'

export function buildHooks(deps: ShipDeps): IssueObserver {
  return {
    async testsWritten(node, count) {
      await node.run.append(testsWritten.create(header(node), { issue: numberOf(node), count }))
    },
    async implemented(node) {
      await node.run.append(implementationCompleted.create(header(node), { issue: numberOf(node) }))
    },
    async attemptFailed(node, failure) {
      const issue = numberOf(node)
      const { attempt, problems, last } = failure
      const detail = problems.map((problem) => `[${problem.rule}] ${problemText(problem)}`).join('\n')
      await node.run.append(
        verificationFailed.create(header(node), {
          issue,
          failures: problems.length,
          attempt,
          detail,
          ...namedTests(problems),
        }),
      )
      const advice = await advise(deps, node, failure, detail)
      if (!last && advice.stop === undefined)
        await node.run.append(retryStarted.create(header(node), { issue, attempt: attempt + 1 }))
      return advice
    },
  }
}

async function advise(deps: ShipDeps, node: Node, failure: FailedAttempt, detail: string): Promise<Advice> {
  const { run, input } = node
  const { attempt, last } = failure
  if (last) return {}
  const analysis = await run.step('analyse failure', async (step) => {
    const view = await readFeature(deps, input.feature)
    const issue = findIssue(view, numberOf(node))
    const earlier = (issue?.failures ?? []).filter((one) => one.attempt < attempt)
    const dependencies = view.issues.filter(({ number }) => issue?.depends_on.includes(number))
    const blocked = dependencies.filter(({ state }) => state === 'BLOCKED' || state === 'SKIPPED')
    const why = whyConsult({
      smart: input.issue?.smart ?? false,
      enabled: deps.settings.coordination.llm_coordinator_enabled,
      failedRetries: attempt - 1,
      dependencies: { blocked: blocked.length, total: dependencies.length },
    })
    const byRule = analyseFailure(
      {
        attempt,
        ...failingNow(failure, earlier.at(-1)),
        errors: errorClassesIn(detail),
        blockedDependencies: blocked.map(({ number }) => number),
      },
      { retries: deps.settings.ship.retries },
    )
    let found: FailureAnalysis = byRule
    let by: 'coordinator' | 'rule' = 'rule'
    if (why !== null) {
      const asked = await askInStep(run, step, deps, {
        agent: deps.coordinator(),
        kind: 'failure-analysis',
        messages: () => [
          { role: 'user', content: question(node, failure, detail, deps.settings.ship.retries, view, issue) },
        ],
        schema: failureAnalysisReply,
        repairs: 1,
        facts: { node: input.spec.id, attempt },
        stream: eventHeader(input.feature).stream,
        feature: input.feature,
      })
      if (asked.exit.ok) {
        found = asked.exit.value
        by = 'coordinator'
      }
    }
    step.emit(
      failureAnalysed.create(header(node), {
        issue: numberOf(node),
        attempt,
        by,
        ...(why === null ? {} : { why }),
        ...found,
      } as never),
    )
    return { ...found, by }
  })
  // The rule only guides the next attempt; the coordinator may also end the issue early.
  if (analysis.by === 'coordinator' && (analysis.recommendation === 'skip' || analysis.recommendation === 'escalate'))
    return { stop: analysis.reason }
  const who = analysis.by === 'coordinator' ? 'The coordinator' : 'Convene'
  return analysis.modified_approach ? { guidance: `${who} suggests: ${analysis.modified_approach}` } : {}
}

function question(
  node: Node,
  { attempt }: FailedAttempt,
  detail: string,
  retries: number,
  view: FeatureView,
  issue: IssueView | undefined,
): string {
  const { spec } = node.input
  const before = (issue?.failures ?? []).filter((one) => one.attempt < attempt)
  const tries = before.map(({ attempt: number, detail: seen }) => {
    const advice = issue?.analyses.at(number - 1)
    const then = advice ? ` Then: ${advice.recommendation}${approachOf(advice)}.` : ''
    return `- attempt ${number}: ${seen.split('\n')[0]!.slice(0, 300)}${then}`
  })
  return [
    `Attempt ${attempt} of ${retries + 1} to implement issue ${node.input.issue?.name} ("${spec.description.split('\n')[0]}") failed.`,
    ...(issue ? [`The issue: ${issueFacts(view, issue)}.`] : []),
    `Acceptance criteria:\n${spec.acceptanceCriteria.map(({ id, text }) => `- ${id}: ${text}`).join('\n')}`,
    `Files: ${spec.targetPath}, tests in ${spec.testPath}.`,
    `What was seen:\n${detail.slice(-4000)}`,
    ...(tries.length > 0 ? [`Attempts before:\n${tries.join('\n')}`] : []),
    finishedFacts(view),
    'Is the cause a wrong expectation in a test, a fault in the implementation, something missing that should be built first, or is the issue blocked? Should the next attempt go the same way (retry) or another way (modify: say which), should the issue be put aside (skip), or be given to a person (escalate)?',
    'Reply with {"diagnosis": "test_expectation" | "implementation_bug" | "missing_dependency" | "blocked", "recommendation": "retry" | "skip" | "escalate" | "modify", "modified_approach"?: "…", "reason": "…"}.',
  ].join('\n\n')
}

const approachOf = ({ modified_approach }: { modified_approach?: string }) =>
  modified_approach ? ` (${modified_approach.slice(0, 300)})` : ''

/** The names of the failed tests, if the problems have them. */
function namedTests(problems: readonly Problem[]): { tests?: string[] } {
  const tests = [...new Set(problems.flatMap(({ tests = [] }) => tests))]
  return tests.length > 0 ? { tests } : {}
}

/** Compares attempts by the names of failed tests if both have them, otherwise by what the problems say, with their files. */
function failingNow({ problems }: FailedAttempt, before: IssueView['failures'][number] | undefined) {
  const { tests } = namedTests(problems)
  if (tests && !before) return { failingTests: tests }
  if (tests && before?.tests) return { failingTests: tests, failedBefore: before.tests }
  const said = problems.map((problem) => problemText(problem).split('\n')[0]!)
  return {
    failingTests: said,
    areNamed: false,
    ...(before ? { failedBefore: headlines(before.detail) } : {}),
  }
}

function headlines(detail: string): string[] {
  return detail.split(/\n(?=\[[A-Z]+\d+\] )/).map((problem) => problem.replace(/^\[[A-Z]+\d+\] /, '').split('\n')[0]!)
}

const header = (node: Node) => eventHeader(node.input.feature, node.run.runId)

function numberOf(node: Node): number {
  return Number(node.input.issue?.name.split('#').at(-1) ?? 0)
}
