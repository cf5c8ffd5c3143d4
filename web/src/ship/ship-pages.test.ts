import { describe, expect, it } from 'vitest'
import { buildRunOf, issueOfBuild } from '../data/addresses/build.ts'
import { issueAddress, issueOfRun, rootOf } from '../data/addresses/ship.ts'
import { cardSize } from '../ui/graph/arrange.ts'
import { issueEdges, issueMermaid, mostRelevant } from './board/issue-edges.ts'
import { besideInGraph, besideOnBoard } from './board/neighbours.ts'
import { placeIssues } from './board/place-issues.ts'
import { exampleIssues, readIssuesText } from './new/issues-text.ts'
import type { IssueCard } from './view/issue-card.ts'
import { isAtWork, joined, lineLabel } from './view/listed-features.ts'
import { stagesOf } from './view/stages.ts'
import { forgeLabel, gitLabel } from './view/sync-labels.ts'
import { workOf } from './view/work.ts'

describe('addresses', () => {
  it('know what a run is about from its id', () => {
    expect(issueOfRun('run-1/issue-12/build/node')).toBe(12)
    expect(issueOfRun('run-1/issue-12')).toBe(12)
    expect(issueOfRun('build-1')).toBeNull()
    expect(issueOfRun(undefined)).toBeNull()
    expect(rootOf('ship-1/run/issue-2')).toBe('ship-1')
    expect(issueAddress('a b', 3, 'changes')).toBe('/features/a%20b/issues/3?tab=changes')
  })

  it('find the build of an issue, and the issue of a build', () => {
    expect(buildRunOf('build-1/part')).toBe('build-1')
    expect(buildRunOf('ship-1/run/issue-2/build/node/part')).toBe('ship-1/run/issue-2/build')
    expect(buildRunOf('run-1/issue-2')).toBeNull()
    expect(issueOfBuild({ id: 'run-1/issue-2/build', spec: 'demo-a-2' })).toEqual({ feature: 'demo-a', number: 2 })
    expect(issueOfBuild({ id: 'build-1', spec: 'demo-2' })).toBeNull()
  })
})

describe('pasted issues', () => {
  it('are read as a plan writes them, and as a bare list', () => {
    expect(readIssuesText(exampleIssues)).toMatchObject({
      ok: true,
      feature: 'greeting',
      issues: [{ number: 1 }, { number: 2 }],
    })
    expect(readIssuesText(exampleIssues, 'other')).toMatchObject({ ok: true, feature: 'other' })
    const list = JSON.stringify([{ number: 1, title: 'One', acceptance_criteria: [{ id: 'a', text: 'b' }] }])
    expect(readIssuesText(list)).toMatchObject({ ok: true, feature: '' })
  })

  it('say what is wrong with them, and where', () => {
    expect(readIssuesText('{')).toMatchObject({ ok: false, problems: [expect.stringContaining('not JSON')] })
    expect(readIssuesText('{"issues": [{"number": 1}]}')).toMatchObject({
      ok: false,
      problems: expect.arrayContaining([expect.stringMatching(/^issues\.0\.title/)]),
    })
    expect(readIssuesText('null').ok).toBe(false)
  })

  it('[IS2] are refused where they wait for each other; what is not in the list may be there already', () => {
    const issue = (number: number, depends_on: number[]) => ({
      number,
      title: 'x',
      acceptance_criteria: [{ id: 'a', text: 'b' }],
      depends_on,
    })
    expect(readIssuesText(JSON.stringify([issue(1, [2]), issue(2, [1])]))).toMatchObject({ ok: false })
    expect(readIssuesText(JSON.stringify([issue(5, [1])])).ok).toBe(true)
  })
})

describe('ties between issues', () => {
  const card = (number: number, more: Partial<IssueCard> = {}) =>
    ({
      number,
      title: `Issue ${number}`,
      state: 'READY',
      tone: 'plain',
      dependsOn: [],
      partOf: null,
      ...more,
    }) as IssueCard

  it('are met when what they come from is done', () => {
    const cards = [card(1, { state: 'DONE', tone: 'ok' }), card(2, { dependsOn: [1, 9] }), card(3, { partOf: 2 })]
    expect(issueEdges(cards)).toEqual([
      { id: '1 before 2', from: 1, to: 2, kind: 'needs', met: true },
      { id: '3 of 2', from: 2, to: 3, kind: 'part', met: false },
    ])
    expect(issueMermaid(cards)).toMatchObject({
      nodes: [{ id: '1', label: '#1 Issue 1\ndone', tone: 'ok' }, { id: '2' }, { id: '3' }],
      edges: [
        { from: '1', to: '2' },
        { from: '2', to: '3', dotted: true },
      ],
    })
  })
})

describe('the places of issues', () => {
  const chains = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      key: String(index),
      parent: null,
      dependsOn: index % 3 === 0 ? [] : [String(index - 1)],
    }))

  it('never let two stand on the same ground, and put what is needed above what needs it', () => {
    const placed = placeIssues([...chains(14), { key: 'part', parent: '13', dependsOn: [] }])
    const all = [...placed.values()]
    expect(all).toHaveLength(15)
    for (const [index, one] of all.entries())
      for (const other of all.slice(index + 1))
        expect(Math.abs(one.x - other.x) >= cardSize.width || Math.abs(one.y - other.y) >= cardSize.height).toBe(true)
    expect(placed.get('1')!.y).toBeGreaterThan(placed.get('0')!.y)
    expect(placed.get('part')!.y).toBeGreaterThan(placed.get('13')!.y)
  })

  it('fill a screen instead of one endless row', () => {
    const all = [...placeIssues(chains(150)).values()]
    const width = Math.max(...all.map(({ x }) => x)) + cardSize.width
    const height = Math.max(...all.map(({ y }) => y)) + cardSize.height
    expect(width / height).toBeGreaterThan(1)
    expect(width / height).toBeLessThan(3)
  })

  it('are found also for a part whose whole is not shown, and for nothing', () => {
    expect(placeIssues([{ key: 'a', parent: 'gone', dependsOn: ['gone'] }]).size).toBe(1)
    expect(placeIssues([]).size).toBe(0)
  })
})

describe('very many issues', () => {
  it('are shown as those that are not done, and the latest of the others', () => {
    const cards = [1, 2, 3, 4, 5].map((number) => ({ number, state: number < 4 ? 'DONE' : 'READY' }) as IssueCard)
    expect(mostRelevant(cards, 5)).toBe(cards)
    expect(mostRelevant(cards, 3).map(({ number }) => number)).toEqual([3, 4, 5])
    expect(mostRelevant(cards, 1).map(({ number }) => number)).toEqual([4])
  })
})

describe('the way of a ship', () => {
  const facts = { plan: null, states: [], run: null, merge: true, merged: undefined, main: 'main' } as const
  const said = (more: Partial<Parameters<typeof stagesOf>[0]>) =>
    stagesOf({ ...facts, ...more }).map(({ id, state, words }) => `${id} ${state}: ${words}`)

  it('begins with the plan', () => {
    expect(said({})).toEqual([
      'plan here: starting',
      'issues todo: pending',
      'build todo: pending',
      'merge todo: into main',
    ])
    expect(said({ plan: { status: 'running', done: 2, phases: 5 } })[0]).toBe('plan here: 2 of 5 phases')
    expect(said({ plan: { status: 'waiting', done: 2, phases: 5 } })[0]).toBe('plan waiting: needs your answer')
    expect(said({ plan: { status: 'failed', done: 2, phases: 5 } })[0]).toBe('plan failed: failed')
  })

  it('goes on with issues and their builds, and ends with the merge', () => {
    expect(said({ states: ['DONE', 'IN_PROGRESS'], run: 'running' })).toEqual([
      'plan done: done',
      'issues done: 2 greenlit',
      'build here: 1 of 2 done',
      'merge todo: into main',
    ])
    expect(said({ states: ['DONE', 'DONE'], run: 'done', merged: true }).slice(2)).toEqual([
      'build done: 2 of 2 done',
      'merge done: in main',
    ])
    expect(said({ states: ['DONE', 'BLOCKED'], run: 'failed', merged: false }).slice(2)).toEqual([
      'build failed: 1 of 2 done',
      'merge failed: not in main',
    ])
  })

  it('has no merge where none is wanted', () => {
    expect(said({ merge: false })).toHaveLength(3)
  })
})

describe('what is under way', () => {
  it('is the ship, until it ends; then a run that was started by hand', () => {
    const run = (status: 'running' | 'stopped' | 'done') => ({ run: 'ship-1/run', status })
    const ship = (status: 'running' | 'done') => ({ run: 'ship-1', status })
    expect(workOf(run('done'), ship('running'))).toEqual({ root: 'ship-1', status: 'running' })
    expect(workOf({ run: 'run-2', status: 'stopped' }, ship('done'))).toEqual({ root: 'run-2', status: 'stopped' })
    expect(workOf(run('done'), ship('done'))).toBeNull()
    expect(workOf(null, null)).toBeNull()
  })

  it('stands first in the list, and a ship that still plans is in it', () => {
    const line = (feature: string, done: number, more = {}) => ({ feature, issues: 2, done, blocked: 0, ...more })
    const ships = [{ id: 'ship-1', goal: 'Go', feature: 'new', status: 'running' }]
    const found = joined([line('all', 2), line('open', 1), line('busy', 0, { run: 'run-1' })], ships)
    expect(found.map(({ feature }) => feature)).toEqual(['busy', 'new', 'open', 'all'])
    expect(found.map((one) => lineLabel(one).word)).toEqual(['in progress', 'planning', 'ready to run', 'done'])
    expect(isAtWork(found[1]!)).toBe(true)
    expect(lineLabel(line('x', 0, { blocked: 1 }))).toEqual({ word: '1 blocked', tone: 'bad' })
  })
})

describe('arrow keys', () => {
  const grid = [[{ number: 1 }, { number: 2 }], [], [{ number: 3 }]]
  it('lead along a column, and over empty ones to the next', () => {
    expect(besideOnBoard(grid, 1, 'ArrowDown')).toBe(2)
    expect(besideOnBoard(grid, 2, 'ArrowRight')).toBe(3)
    expect(besideOnBoard(grid, 3, 'ArrowLeft')).toBe(1)
    expect(besideOnBoard(grid, 3, 'ArrowRight')).toBeUndefined()
    expect(besideOnBoard(grid, null, 'ArrowDown')).toBeUndefined()
    expect(besideOnBoard(grid, 1, 'x')).toBeUndefined()
  })

  it('lead to the nearest card that lies that way', () => {
    const placed = new Map([
      ['1', { x: 0, y: 0 }],
      ['2', { x: 0, y: 100 }],
      ['3', { x: 300, y: 100 }],
    ])
    expect(besideInGraph(placed, '1', 'ArrowDown')).toBe('2')
    expect(besideInGraph(placed, '2', 'ArrowRight')).toBe('3')
    expect(besideInGraph(placed, '1', 'ArrowUp')).toBeUndefined()
  })
})

describe('how true the page is elsewhere', () => {
  it('[IS4] says when git was looked at, what it moved, and what went wrong', () => {
    expect(gitLabel([], 0).words).toBe('nothing to check')
    expect(gitLabel([undefined], 0).words).toBe('check now')
    expect(gitLabel(['checking', { at: 0, synced: 0 }], 0).words).toBe('checking…')
    expect(gitLabel([{ at: 0, synced: 0 }], 3000)).toMatchObject({ words: 'checked just now', tone: 'ok' })
    expect(
      gitLabel(
        [
          { at: 0, synced: 2 },
          { at: 60_000, synced: 1 },
        ],
        90_000,
      ).words,
    ).toBe('3 moved, checked 30 s ago')
    expect(gitLabel([{ at: 0, synced: 0 }], 600_000).words).toBe('checked 10 min ago')
    expect(gitLabel([{ at: 0, synced: 0, problem: 'no repository' }], 0)).toMatchObject({
      tone: 'warn',
      title: 'no repository',
    })
  })

  it('[GH3] [GH4] says whether GitHub is off and why, in sync, or behind and why', () => {
    const forge = { repo: 'a/b', off: null, issues_url: null }
    const entry = (more = {}) => ({ repo: 'a/b', feature: 'demo', number: 1, issue: 34, wishes: [], ...more })
    const failure = { code: 'rate_limited', message: 'Too many requests', retryable: true, attempt: 2, ts: '' }
    expect(forgeLabel({ ...forge, repo: null, off: 'not set' }, [])).toEqual({
      words: 'off',
      tone: 'plain',
      title: 'not set',
    })
    expect(forgeLabel({ ...forge, off: 'no token' }, [])).toMatchObject({ tone: 'warn', title: 'no token' })
    expect(forgeLabel(forge, [entry({ repo: 'other/one' })])).toMatchObject({ words: 'in sync', tone: 'ok' })
    expect(forgeLabel(forge, [entry()])).toMatchObject({ words: '1 issue to sync', tone: 'live' })
    expect(forgeLabel(forge, [entry({ failure })])).toMatchObject({
      tone: 'warn',
      title: 'Too many requests (attempt 2; Convene retries)',
    })
  })
})
