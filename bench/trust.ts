/** What the trust checks cost a build: the share of a node's own time, agents and tests of the project not counted. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { changedManifests } from '../src/build/trust/changed-manifests.ts'
import { sensitiveWork, workSize } from '../src/build/trust/sensitive-work.ts'
import { decidesTests, watchedFolders } from '../src/rules/trust/rewritten-tests.ts'
import { alwaysEqual, namesReport, testLibraryProblems } from '../src/rules/trust/test-library.ts'
import { Repository } from '../src/workspace/git/repository.ts'
import { touchedSince } from '../src/workspace/worktrees/touched-since.ts'
import type { Bench } from './bench.ts'
import { measureOverhead } from './build-overhead.ts'
import { layRepository } from './build-project.ts'
import { median, millisecondsOf } from './measure.ts'

const files = 1000
const changedFiles = 10
const rounds = 9
/** How often a leaf of the graph is looked at: replies, checkouts, reviews and its merge. */
const looks = 6
const testRuns = 3
const goalShare = 0.02

export const trust: Bench = async (folder) => {
  const { ours } = await measureOverhead(join(folder, 'overhead'), files, rounds)
  const checks = await measureChecks(join(folder, 'checks'))
  const [node, check] = [median(ours), median(checks)]
  const share = check / (node + check)
  return {
    goals: [
      {
        measure: "trust checks, share of a node's own time",
        goal: `≤ ${goalShare * 100} %`,
        found: `${(share * 100).toFixed(1)} %`,
        met: share <= goalShare,
      },
    ],
    settings: [
      `A repository of ${files} files; a leaf changes ${changedFiles} of them and a manifest.`,
      `${rounds} rounds, ${looks} looks at the work per node; agents and the project's own tests take no time.`,
    ],
    table: {
      columns: ['', 'median'],
      rows: [
        ['git work and commands of a node', `${node.toFixed(1)} ms`],
        ['trust checks of a node', `${check.toFixed(2)} ms`],
      ],
    },
    notes: ['With agents that think and tests that run, the share is far smaller.'],
  }
}

async function measureChecks(folder: string): Promise<number[]> {
  mkdirSync(folder, { recursive: true })
  layRepository(folder, files, { 'package.json': '{"name":"bench"}\n' })
  const repository = await Repository.open(folder)
  const base = await repository.head()
  const paths = Array.from({ length: changedFiles }, (_, index) => `library/0/${index}.js`)
  for (const path of paths)
    writeFileSync(join(folder, path), `${readFileSync(join(folder, path), 'utf8')}export const more = 1\n`)
  writeFileSync(join(folder, 'package.json'), '{"name":"bench","version":"2.0.0"}\n')
  execFileSync('git', ['commit', '--quiet', '--all', '--message=work'], { cwd: folder })
  const commit = await repository.head()
  const texts = paths.map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }))
  const found: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const milliseconds = await millisecondsOf(async () => {
      for (let look = 0; look < looks; look++) {
        await sensitiveWork(repository, base, commit)
        await changedManifests(repository, base, commit)
      }
      for (const { path, text } of texts) {
        testLibraryProblems(path, text)
        alwaysEqual(path, text)
        namesReport(path, text)
      }
      // Once for each run of the tests.
      for (let run = 0; run < testRuns; run++)
        touchedSince(folder, { ...watchedFolders(paths), counts: decidesTests }, Date.now() + 60_000)
      await workSize(repository, base, commit)
    })
    // The first round reads the objects from the disk.
    if (round > 0) found.push(milliseconds)
  }
  return found
}
