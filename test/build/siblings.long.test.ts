/** Parts that edit the same files concurrently: merged one by one, the rest rebase, and no work is lost. */
import { existsSync, readdirSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { actingModel } from './acting-model.ts'
import { barrier, expectNothingLost, familyOf, familyProject, honestAct, writing } from './family.ts'
import { code, expectExit, ofType } from './project.ts'

const patience = 240_000

const importText = (text: string) => import(`data:text/javascript,${encodeURIComponent(text)}`)

describe('six parts that fill in the same file', () => {
  const ids = ['f1', 'f2', 'f3', 'f4', 'f5', 'f6']
  const sharedPath = 'src/shared.js'
  const unfinished = ids.map((id) => `export function ${id}(value) { throw new Error('not implemented') }\n`).join('')
  const family = familyOf('lib', ids, {
    shared: { path: sharedPath, text: unfinished },
    words: (id) => (id === 'lib' ? 'return value + 1' : `${id}(value) { return value + 1 }`),
  })
  const fill = (id: string) => `sed -i "s/ ${id}(value) {.*/ ${id}(value) { return value + 1 }/" ${sharedPath}`
  /** Keeps each function once: the implementation from whichever side has one. */
  const resolve = `node -e '
    const fs = require("fs")
    const lines = fs.readFileSync("${sharedPath}", "utf8").split("\\n").filter((line) => line.startsWith("export"))
    const name = (line) => line.split(/[ (]/)[2]
    const filled = new Map(lines.map((line) => [name(line), line]))
    for (const line of lines) if (!line.includes("throw")) filled.set(name(line), line)
    fs.writeFileSync("${sharedPath}", [...filled.values()].join("\\n") + "\\n")
  '`

  async function build(atOnce: number) {
    const implementing = barrier(ids.length)
    const model = await actingModel(async (question) => {
      const { kind, node } = question
      if (kind === 'rebase') return { command: resolve, reply: { RebaseAdapted: { adaptations: [] } } }
      if (kind !== 'implement' || node === 'lib') return honestAct(family, question)
      // All six start from the same tree; none is merged before the last has begun.
      if (atOnce >= ids.length) await implementing()
      return { ...honestAct(family, question), command: fill(node) }
    })
    const project = familyProject(family, model, { max_parallel: atOnce })
    const built = await project.build('--strategy', 'graph')
    expectExit(built, 0)
    return { model, project, report: built.report, events: await project.events() }
  }

  it('[RB1] [RB3] conflicts are forecast, parts merge one at a time, and the others rebase', {
    timeout: patience,
  }, async () => {
    const { model, project, report, events } = await build(8)
    expectNothingLost(project, events, report, ['lib', ...ids])
    const forecasts = ofType(events, 'conflict.forecast')
    expect(forecasts.length).toBeGreaterThan(0)
    for (const { files } of forecasts) expect(files).toEqual([sharedPath])
    const areNeighbours = (one: unknown, other: unknown) =>
      Math.abs(ids.indexOf(`${one}`) - ids.indexOf(`${other}`)) === 1
    expect(forecasts.some(({ node, with: other }) => areNeighbours(node, other))).toBe(true)
    // An agent is asked only where git could not merge the lines; all others rebase without one.
    const rebases = ofType(events, 'rebase.finished')
    for (const { conflicts, adapted } of rebases) expect(adapted).toBe((conflicts as string[]).length > 0)
    const asked = model.questions.filter(({ kind }) => kind === 'rebase')
    expect(asked.length).toBeGreaterThan(0)
    expect(rebases.filter(({ adapted }) => adapted)).toHaveLength(asked.length)
    for (const { prompt } of asked) expect(prompt).toContain(`conflict markers now: ${sharedPath}`)
    expect(ofType(events, 'reply.refused')).toEqual([])

    const functions = await importText(project.read(report.commit!, sharedPath))
    for (const id of ids) expect([id, functions[id](1)]).toEqual([id, 2])

    const serial = await build(1)
    expectNothingLost(serial.project, serial.events, serial.report, ['lib', ...ids])
    expect(serial.model.mostAtOnce).toBe(1)
    expect(project.git('rev-parse', `${report.commit}:src`)).toBe(
      serial.project.git('rev-parse', `${serial.report.commit}:src`),
    )
  })
})

describe('two parts that add lines in one place', () => {
  const ids = ['left', 'right']
  const old = { 'src/index.js': 'export const first = 1\nexport const last = 9\n', 'ROWS.md': '- first\n- last\n' }
  const family = familyOf('lib', ids, { old })
  const added = (id: string) =>
    `sed -i "/first/a - ${id}" ROWS.md && sed -i "/first/a export { ${id} } from './${id}.js'" src/index.js`

  it('[RB1] keep the lines of both, without an agent', { timeout: patience }, async () => {
    const implementing = barrier(ids.length)
    const model = await actingModel(async (question) => {
      const act = honestAct(family, question)
      if (question.kind !== 'implement' || question.node === 'lib') return act
      await implementing()
      return { ...act, command: `${act.command} && ${added(question.node)}` }
    })
    const project = familyProject(family, model, { max_parallel: 8 })
    const built = await project.build('--strategy', 'graph')
    expectExit(built, 0)
    const events = await project.events()
    expect(ofType(events, 'reply.refused')).toEqual([])
    expect(model.questions.filter(({ kind }) => kind === 'rebase')).toEqual([])
    const lines = (path: string) => project.read(built.report.commit!, path).trim().split('\n').toSorted()
    expect(lines('ROWS.md')).toEqual(['- first', '- last', '- left', '- right'])
    expect(lines('src/index.js').filter((line) => line.includes('from'))).toHaveLength(2)
  })
})

describe('a part whose sibling changed what it uses', () => {
  const ids = ['canon', 'renamed', 'resigned', 'rewritten']
  const old = {
    'src/old-help.js': code('help', 'value + 1'),
    'src/old-grow.js': code('grow', 'value + 1'),
  }
  const family = familyOf('lib', ids, { old })
  const using = (id: string, name: string, file: string) =>
    `import { ${name} } from './${file}'\n${code(id, `${name}(value)`)}`
  const canon = {
    'src/canon.js': code('canon'),
    'src/old-help.js': code('assist', 'value + 1'),
    'src/old-grow.js': 'export function grow(value, step) {\n  return value + step\n}\n',
  }
  const work: Record<string, Record<string, string>> = {
    canon,
    renamed: { 'src/renamed.js': using('renamed', 'help', 'old-help.js') },
    resigned: { 'src/resigned.js': using('resigned', 'grow', 'old-grow.js') },
    rewritten: { 'src/rewritten.js': using('rewritten', 'help', 'old-help.js') },
  }
  const followed: Record<string, string> = {
    renamed: 'sed -i s/help/assist/g src/renamed.js && sed -i s/old-assist/old-help/ src/renamed.js',
    resigned: `sed -i 's/grow(value)/grow(value, 1)/' src/resigned.js`,
    rewritten: writing({ 'src/rewritten.js': code('rewritten', '1 + value') }),
  }

  it('[RB2] follows a rename and a signature; a rewritten body is refused and planned again', {
    timeout: patience,
  }, async () => {
    const merged = Promise.withResolvers<void>()
    const rounds = new Map<string, number>()
    const model = await actingModel(async (question) => {
      const { kind, node } = question
      const key = `${kind} ${node}`
      const round = (rounds.get(key) ?? 0) + 1
      rounds.set(key, round)
      if (key === 'judge-child canon') merged.resolve()
      if (kind === 'review-impl' && node in followed) await merged.promise
      if (kind === 'rebase') return { command: followed[node]!, reply: { RebaseAdapted: { adaptations: [] } } }
      const act = honestAct(family, question)
      if (kind !== 'implement' || !work[node]) return act
      if (node === 'rewritten' && round === 2)
        return { ...act, command: writing({ 'src/rewritten.js': using('rewritten', 'assist', 'old-help.js') }) }
      return { ...act, command: writing(work[node]) }
    })
    const project = familyProject(family, model, { max_parallel: 8 })
    const built = await project.build('--strategy', 'graph')
    expectExit(built, 0)
    const events = await project.events()
    expectNothingLost(project, events, built.report, ['lib', ...ids])

    const asked = model.questions.filter(({ kind }) => kind === 'rebase').map(({ node }) => node)
    expect(asked.sort()).toEqual(['renamed', 'resigned', 'rewritten'])
    for (const { prompt } of model.questions.filter(({ kind }) => kind === 'rebase')) {
      expect(prompt).toContain('Breaking')
      expect(prompt).toContain('help (RemovedExport)')
      expect(prompt).toContain('grow (SignatureChange)')
    }
    const routes = ofType(events, 'exit.routed').filter(({ from }) => from === 'rebaser')
    expect(routes.filter(({ exit }) => exit === 'RebaseConflict')).toEqual([
      expect.objectContaining({ node: 'rewritten', to: ['scaffold'] }),
    ])
    const again = model.questions.filter(({ kind, node }) => kind === 'scaffold' && node === 'rewritten')
    expect(again).toHaveLength(2)
    expect(again[1]!.prompt).toContain('could not be joined with what a sibling merged')
    expect(project.read(built.report.commit!, 'src/renamed.js')).toContain('assist(value)')
    expect(project.read(built.report.commit!, 'src/resigned.js')).toContain('grow(value, 1)')
    expect(project.read(built.report.commit!, 'src/rewritten.js')).toContain('assist(value)')
  })
})

describe('a part that never fits', () => {
  const movers = ['m1', 'm2', 'm3', 'm4', 'm5']
  const old = Object.fromEntries(movers.map((id) => [`src/old-${id}.js`, code(`old${id}`)]))
  const family = familyOf('lib', ['victim', ...movers], { old, words: () => 'return value + 1' })

  it('[GR4] fails on the fifth RebaseConflict, its parent is told why, and a person can be asked', {
    timeout: patience,
  }, async () => {
    // The n-th mover is merged while the victim writes its tests for the n-th time.
    const waiting = movers.map(() => Promise.withResolvers<void>())
    const merged = movers.map(() => Promise.withResolvers<void>())
    let round = 0
    const conflict = { conflictFile: 'src/victim.js', ourChange: 'mine', theirChange: 'theirs', whyUnresolvable: 'no' }
    const model = await actingModel(async (question) => {
      const { kind, node } = question
      const mover = movers.indexOf(node)
      if (kind === 'rebase' && node === 'victim') return { reply: { RebaseConflict: conflict } }
      if (kind === 'rebase') return { reply: { RebaseClean: {} } }
      if (kind === 'child-failed') return { reply: { Escalate: { reason: 'I do not know either' } } }
      if (kind === 'write-tests' && node === 'victim' && round < movers.length) {
        const now = round++
        waiting[now]!.resolve()
        await merged[now]!.promise
      }
      if (kind === 'review-impl' && mover !== -1) await waiting[mover]!.promise
      if (kind === 'judge-child' && mover !== -1) merged[mover]!.resolve()
      const act = honestAct(family, question)
      if (kind !== 'implement' || mover === -1) return act
      const moved = {
        [`src/${node}.js`]: code(node),
        [`src/old-${node}.js`]: `export function old${node}(value, more) {\n  return value + more\n}\n`,
      }
      return { ...act, command: writing(moved) }
    })
    const project = familyProject(family, model, { max_parallel: 8 })
    const built = await project.build('--strategy', 'graph')
    expectExit(built, 3)
    const events = await project.events()
    const conflicts = ofType(events, 'exit.routed').filter(({ exit }) => exit === 'RebaseConflict')
    expect(conflicts.map(({ to, capped }) => [to, capped])).toEqual([
      ...[1, 2, 3, 4].map(() => [['scaffold'], undefined]),
      [[], 'rebases'],
    ])
    const failed = model.questions.find(({ kind }) => kind === 'child-failed')
    expect(failed?.prompt).toContain('cap: rebases')
    expect(built.report.questions![0]!.text).toContain('cap: rebases')
    expect(built.report.questions![0]!.context).toMatchObject({ node: 'lib', capped: 'rebases' })
    expectExit(await project.convene('answer', built.report.questions![0]!.id, 'give up'), 0)
    expectExit(await project.convene('resume', built.report.run), 1)
  })
})

describe('a part that is given up', () => {
  it('[GR6] ends the others with it: no agent is asked again, nothing stays', { timeout: patience }, async () => {
    const family = familyOf('lib', ['hopeless', 'busy'], { words: () => 'return value + 1' })
    const isBusy = Promise.withResolvers<void>()
    const never = new Promise<never>(() => {})
    const model = await actingModel(async (question) => {
      const { kind, node } = question
      if (kind === 'child-failed') return { reply: { Escalate: { reason: 'not mine to say' } } }
      if (kind !== 'implement') return honestAct(family, question)
      if (node === 'busy') {
        isBusy.resolve()
        return never
      }
      await isBusy.promise
      return { reply: { Stuck: { diagnosis: 'it cannot be done', recommendation: 'ask', attempts: 1 } } }
    })
    const project = familyProject(family, model)
    const building = project.build('--strategy', 'graph')
    const question = await vi.waitFor(
      async () => {
        const { questions } = (await project.convene('questions')).report
        expect(questions).toHaveLength(1)
        return questions![0]!
      },
      { timeout: patience, interval: 300 },
    )
    expectExit(await project.convene('answer', question.id, 'give up'), 0)
    expectExit(await building, 1)
    const { runs } = (await project.convene('runs')).report as unknown as { runs: { id: string; status: string }[] }
    expect(runs.map(({ status }) => status).sort()).toEqual(['cancelled', 'failed', 'failed'])
    expect(project.git('worktree', 'list').split('\n')).toHaveLength(1)
    expect(existsSync(project.worktrees) ? readdirSync(project.worktrees) : []).toEqual([])
  })
})

describe('a parent that plans again while its parts work', () => {
  it('[GR3] keeps what was merged meanwhile', { timeout: patience }, async () => {
    const family = familyOf('lib', ['early', 'late'], { words: () => 'return value + 1' })
    const merged = Promise.withResolvers<void>()
    const planned = Promise.withResolvers<void>()
    const invalid = { InvalidScaffold: { missingType: 'limit', expectedLocation: 'src/limit.js' } }
    let isInvalid = true
    const model = await actingModel(async (question) => {
      const { kind, node, prompt } = question
      const act = honestAct(family, question)
      if (kind === 'judge-child' && node === 'early') merged.resolve()
      if (kind === 'implement' && node === 'late') await planned.promise
      if (kind === 'write-tests' && node === 'lib') {
        await merged.promise
        if (isInvalid) return { reply: invalid }
        planned.resolve()
      }
      if (kind === 'scaffold' && prompt.includes('`limit`, expected in src/limit.js')) {
        isInvalid = false
        return { ...act, command: `${act.command} && ${writing({ 'src/limit.js': 'export const limit = 9\n' })}` }
      }
      return act
    })
    const project = familyProject(family, model)
    const built = await project.build('--strategy', 'graph')
    expectExit(built, 0)
    const { commit } = built.report
    expectNothingLost(project, await project.events(), built.report, ['lib', 'early', 'late'])
    for (const node of ['lib', 'early', 'late'])
      expect(project.read(commit!, `src/${node}.js`)).toContain('return value + 1')
    expect(project.read(commit!, 'src/limit.js')).toContain('limit = 9')
  })
})
