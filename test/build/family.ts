/** A parent with parts, built by an acting model: what an honest agent does at each place, for tests to override. */
import { expect } from 'vitest'
import type { StoredEvent } from '../../src/kernel/events.ts'
import type { Act, ActingModel, Question } from './acting-model.ts'
import {
  approved,
  buildProject,
  code,
  ofType,
  type Project,
  planOf,
  type Report,
  type SpecFile,
  specOf,
  stub,
  testFile,
} from './project.ts'
import { check, shellCommand, shellRunner } from './shell-tests.ts'

export interface Family {
  parent: SpecFile
  children: SpecFile[]
  /** Files that exist before the build. */
  old: Record<string, string>
  /** A file that all parts edit; the parent's scaffold creates it. */
  shared?: { path: string; text: string }
  /** Tests grep for these words in a part's file. Absent: they run it. */
  words?: (node: string) => string
}

/** Each part is a function that adds one. The parent has one too, and keeps one criterion to itself. */
export function familyOf(
  parentId: string,
  ids: string[],
  more: Partial<Pick<Family, 'old' | 'shared' | 'words'>> = {},
): Family {
  const spec = (id: string, criteria: string[], path = `src/${id}.js`) =>
    specOf(id, criteria, { targetPath: path, testPath: `test/${id}.test.${more.words ? 'sh' : 'js'}` })
  return {
    parent: spec(parentId, ['kept', ...ids.map((id) => `${id}-1`)]),
    children: ids.map((id) => spec(id, [`${id}-1`], more.shared?.path)),
    old: {},
    ...more,
  }
}

export function familyProject(family: Family, model: ActingModel, build: Record<string, unknown> = {}): Project {
  return buildProject({
    spec: family.parent,
    lines: [],
    files: { ...(family.words ? shellRunner : {}), ...family.old },
    // These models wait for each other and the machine may be slow: disable the silence reminder.
    build: { sandbox: 'off', silence_seconds: 600, ...(family.words ? { test: shellCommand } : {}), ...build },
    config: { agents: { coder: { provider: 'openai-compatible', model: 'acting', base_url: model.url } } },
  })
}

export function honestAct(family: Family, { kind, node }: Question): Act {
  const { parent, children, shared } = family
  const isParent = node === parent.id
  const spec = [parent, ...children].find(({ id }) => id === node)!
  const { targetPath, testPath } = spec
  const plan = planOf(spec).filter(({ criterionId }) => !isParent || criterionId === 'kept')
  const planned = plan.map(({ plannedTestName }) => plannedTestName)
  switch (kind) {
    case 'scaffold': {
      const suite = testPath.replace('test/', 'contract/')
      const own = targetPath === shared?.path ? {} : { [targetPath]: stub(node) }
      const brought = isParent && shared ? { [shared.path]: shared.text } : {}
      return {
        command: writing({ [suite]: testsOf(family, spec, [`${node} contract`]), ...own, ...brought }),
        reply: {
          InitWork: {
            interfaceFile: targetPath,
            contractSuite: suite,
            testPlan: plan,
            ...(isParent ? { childSpecs: children } : {}),
          },
        },
      }
    }
    case 'write-tests':
      return {
        command: writing({ [testPath]: testsOf(family, spec, planned) }),
        reply: { TestsReady: { testFiles: [testPath], pendingCriteria: plan.map(({ criterionId }) => criterionId) } },
      }
    case 'implement':
      return {
        command: writing({ [targetPath]: code(node) }),
        reply: { TestsPassed: { iterations: 1, passedTests: [] } },
      }
    case 'review-impl':
    case 'judge-child':
      return { reply: approved }
    default:
      throw new Error(`nobody should be asked: ${kind} ${node}`)
  }
}

function testsOf({ words }: Family, { id, targetPath }: SpecFile, names: string[]): string {
  if (words) return names.map((name) => check(name, targetPath, words(id))).join('')
  const tests = Object.fromEntries(names.map((name) => [name, `assert.equal(${id}(1), 2)`]))
  return testFile(id, tests).replace(`../src/${id}.js`, `../${targetPath}`)
}

/** A shell command that writes files with any content. */
export function writing(files: Record<string, string>): string {
  return Object.entries(files)
    .map(([path, text]) => `mkdir -p "$(dirname '${path}')" && echo ${btoa(text)} | base64 -d > '${path}'`)
    .join(' && ')
}

/** Every merge is an ancestor of the result: no commit was lost. */
export function expectNothingLost(
  project: Project,
  events: StoredEvent<Record<string, unknown>>[],
  { run, commit }: Report,
  nodes: string[],
): void {
  const merges = ofType(
    events.filter((event) => event.run?.split('/')[0] === run),
    'merge.completed',
  )
  expect(merges.map(({ node }) => node).sort()).toEqual([...nodes].sort())
  for (const { mergeCommit } of merges)
    expect(project.git('merge-base', String(mergeCommit), commit!)).toBe(mergeCommit)
  expect(project.git('worktree', 'list').split('\n')).toHaveLength(1)
}

/** A barrier: blocks until this many have arrived. */
export function barrier(count: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let come = 0
  return () => {
    come++
    if (come >= count) resolve()
    return promise
  }
}
