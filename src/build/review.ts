/** The reviewer's place. An approval rests on what was seen, not on what is said. VF5. */

import { refusedApproval } from '../rules/back-edge.ts'
import type { Critique, Exit, ExitPayload } from '../rules/exits.ts'
import { isWithin } from '../rules/path-confinement.ts'
import type { Problem } from '../rules/problem.ts'
import type { SyntaxFacts } from '../rules/syntax-facts.ts'
import type { TestFacts } from '../rules/test-facts.ts'
import { keptCriteria } from '../rules/tree.ts'
import { approvalProblems } from '../rules/verification.ts'
import { replyRefused } from './events.ts'
import { looksLikeTest } from './inspect.ts'
import { type Node, placeOf, testsOf, whose } from './node.ts'
import { type Held, isExit, workAt } from './work-at.ts'
import { factsAt, inProject } from './workshop.ts'

const longestDiff = 60_000

export async function review(node: Node): Promise<Held<void> | { exhausted: Problem[] }> {
  const { shop, run } = node
  const { text, cut } = await shop.repository.diff(node.red ?? node.base, node.head, { maxCharacters: longestDiff })
  const held = await workAt<void>(node, {
    place: 'tdd:review',
    kind: 'review-impl',
    role: 'tdd',
    prompt: 'review-impl',
    values: {
      spec: node.spec,
      commit: node.head,
      passed: passedOf(node).map(({ name }) => name),
      diff: text,
      diffCut: cut,
    },
    thread: node.thread,
    from: node.head,
    readsOnly: true,
    check: async () => ({ problems: [] }),
  })
  if ('exhausted' in held || !isExit(held.exit, 'Approved')) return held
  const { payload } = held.exit
  const problems = await run.step('check approval', () => lacking(node, payload))
  if (problems.length === 0) return held
  // A refused approval counts as a request for more tests.
  await run.append(
    replyRefused.create(placeOf(node), { ...whose(node), kind: 'review-impl', attempt: held.attempt, problems }),
  )
  return { ...held, exit: refusedApproval(problems) }
}

async function lacking(node: Node, { coverageReport }: ExitPayload<'Approved'>): Promise<Problem[]> {
  const { shop } = node
  const kept = keptCriteria(node.spec.acceptanceCriteria, node.scaffold?.childSpecs ?? []).map(({ id }) => id)
  const planned = node.plan.map(({ criterionId, plannedTestName }) => ({ criterionId, testName: plannedTestName }))
  const reported = coverageReport.criteriaWithTests.map(([criterionId, testName]) => ({ criterionId, testName }))
  const changes = await shop.repository.changes(node.base, node.head)
  const files = changes
    .flatMap(({ path, status }) => (status === 'deleted' ? [] : (inProject(shop, path) ?? [])))
    .filter((path) => !looksLikeTest(path) && !testsOf(node).some((test) => isWithin(path, test)))
  const before = await factsAt(shop, node.base, files)
  const after = (await factsAt(shop, node.head, files)).map((facts) => onlyOurs(facts, before))
  return approvalProblems({
    criteria: kept,
    coverage: [...planned, ...reported],
    ran: passedOf(node, true),
    before,
    after,
  })
}

/** A file may be shared with siblings: what was there before this node, stubs of others among it, is not its own. */
function onlyOurs(facts: SyntaxFacts, before: readonly SyntaxFacts[]): SyntaxFacts {
  const old = before.find(({ file }) => file === facts.file)
  if (!old) return facts
  const was = new Set(old.symbols.map(({ name, bodyHash }) => `${name} ${bodyHash}`))
  const symbols = facts.symbols.filter(({ name, bodyHash }) => !was.has(`${name} ${bodyHash}`))
  const lines = facts.lines?.filter((line) => !old.lines?.includes(line))
  return { ...facts, symbols, ...(lines ? { lines } : {}) }
}

/** Where the runner names no tests, its exit code speaks for the planned ones. */
function passedOf(node: Node, all = false): TestFacts[] {
  const { verified } = node
  if (!verified) return []
  if (!verified.parsed) return node.plan.map(({ plannedTestName }) => ({ name: plannedTestName, outcome: 'passed' }))
  const tests = [...verified.tests, ...verified.contract]
  return all ? tests : tests.filter(({ outcome }) => outcome === 'passed').slice(0, 200)
}

export function critiquesOf(exit: Exit): readonly Critique[] {
  return isExit(exit, 'MoreTests') ? exit.payload.critiques : []
}
