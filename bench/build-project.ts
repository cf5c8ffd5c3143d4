/** A repository to build in, with a rehearsal whose agents all take the same time, and very cheap tests. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Spec } from '../src/rules/build/spec.ts'

export interface Shape {
  /** Children of the root, and of each of these. */
  children: [number, number]
  /** The delay of every reply. */
  agentMilliseconds: number
  /** How long the test command sleeps, however many tests it runs. */
  testMilliseconds: number
  /** Files that exist before and never change. */
  files: number
}

export interface TreeNode {
  spec: Spec
  children: TreeNode[]
}

export function layProject(folder: string, shape: Shape): Spec {
  const root = treeOf(shape)
  const config = {
    agents: { coder: { provider: 'rehearsal', script: '../script.yaml' } },
    build: {
      test: 'sh run-tests.sh',
      worktrees: join(folder, '../worktrees'),
      max_parallel: 64,
      max_children: 100,
      mutations: 0,
    },
  }
  layRepository(folder, shape.files, {
    'convene.yaml': JSON.stringify(config),
    'run-tests.sh': runTests(shape.testMilliseconds),
    '../script.yaml': JSON.stringify(linesOf(root, shape.agentMilliseconds)),
  })
  return root.spec
}

/** A repository with one commit: this many files of a kilobyte in folders of a hundred, and the given ones. */
export function layRepository(folder: string, files: number, more: Record<string, string> = {}): void {
  for (let index = 0; index < files; index++)
    write(folder, `library/${Math.floor(index / 100)}/${index}.js`, filler(index))
  for (const [path, text] of Object.entries(more)) write(folder, path, text)
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  git('init', '--quiet', '--initial-branch=main')
  git('config', 'user.name', 'Ada')
  git('config', 'user.email', 'ada@example.org')
  git('add', '--all')
  git('commit', '--quiet', '--message=first')
}

/** Twelve lines of code that differ from file to file. */
function filler(index: number): string {
  const lines = Array.from(
    { length: 12 },
    (_, line) =>
      `export const value${index}x${line} = [${index}, ${line}, 'some more of the same, so that a file has its kilobyte']`,
  )
  return `${lines.join('\n')}\n`
}

function treeOf({ children: [parts, leaves] }: Shape): TreeNode {
  const leaf = (id: string): TreeNode => ({ spec: specOf(id, []), children: [] })
  const middle = (id: string): TreeNode => {
    const below = Array.from({ length: leaves }, (_, index) => leaf(`${id}x${index + 1}`))
    return { spec: specOf(id, below), children: below }
  }
  const below = Array.from({ length: parts }, (_, index) => middle(`part${index + 1}`))
  return { spec: specOf('whole', below), children: below }
}

/** One criterion of its own, and those of everything below. */
function specOf(id: string, children: TreeNode[]): Spec {
  return {
    id,
    description: `The function ${id}`,
    acceptanceCriteria: [
      { id: `${id}-works`, text: `${id} gives its argument back` },
      ...children.flatMap(({ spec }) => spec.acceptanceCriteria),
    ],
    targetPath: `src/${id}.js`,
    testPath: `test/${id}.test.txt`,
  } as Spec
}

/** What the agents say and do: everything succeeds at the first attempt. */
function linesOf(node: TreeNode, after_ms: number): unknown[] {
  const { id, targetPath, testPath } = node.spec
  const contractSuite = `contract/${id}.test.txt`
  const testName = `${id} gives back`
  const line = (ask: string, reply: unknown, files?: Record<string, string>) => ({
    when: { ask, node: id },
    after_ms,
    reply,
    ...(files ? { files } : {}),
  })
  const approved = { Approved: { signOff: 'good', coverageReport: { criteriaWithTests: [], criteriaMissing: [] } } }
  const scaffold = {
    interfaceFile: targetPath,
    contractSuite,
    testPlan: [{ criterionId: `${id}-works`, plannedTestName: testName, approach: 'call it' }],
    ...(node.children.length > 0 ? { childSpecs: node.children.map(({ spec }) => spec) } : {}),
  }
  return [
    line(
      'scaffold',
      { InitWork: scaffold },
      {
        [targetPath]: `export function ${id}(value) {\n  throw new Error('not implemented')\n}\n`,
        [contractSuite]: `${id} contract|${targetPath}\n`,
      },
    ),
    line(
      'write-tests',
      { TestsReady: { testFiles: [testPath], pendingCriteria: [`${id}-works`] } },
      {
        [testPath]: `${testName}|${targetPath}\n`,
      },
    ),
    line(
      'implement',
      { TestsPassed: { iterations: 1, passedTests: [testName] } },
      {
        [targetPath]: `export function ${id}(value) {\n  return value\n}\n`,
      },
    ),
    line('review-impl', approved),
    ...(node.children.length > 0 ? [{ ...line('judge-child', approved), repeat: true }] : []),
    ...node.children.flatMap((child) => linesOf(child, after_ms)),
  ]
}

/** A test is a line `name|file`; it passes if the second line of that file returns something. */
const runTests = (milliseconds: number) => `
sleep ${milliseconds / 1000}
[ $# -gt 0 ] || set -- test/*.txt contract/*.txt
count=0
status=0
echo 'TAP version 13'
for suite; do
  [ -f "$suite" ] || continue
  while IFS='|' read -r name file; do
    count=$((count + 1))
    { read -r first; read -r second; } < "$file"
    case $second in
      return*) echo "ok $count - $name" ;;
      *) echo "not ok $count - $name"; status=1 ;;
    esac
  done < "$suite"
done
echo "1..$count"
exit $status
`

function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}
