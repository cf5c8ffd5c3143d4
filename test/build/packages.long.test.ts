/** Third-party code: published packages are extended, and one part changes what two others use. */
import { execFileSync, spawnSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { asked, buildProject, expectExit, type Line, ofType, type SpecFile } from './project.ts'
import { fetchPackages, filesOf, type Published } from './published-packages.ts'
import { type Part, rehearse } from './rehearsed-part.ts'

const published: Published = fetchPackages()
const title = 'a published package'
const missing = 'missing' in published ? published.missing : undefined
if (missing !== undefined) console.warn(`skipped: ${title}: ${missing}`)

type Files = Record<string, string>

/**
 * The change to one package. `uses` is a part's code that calls what the sibling changes, with the old or the new
 * names.
 */
interface Story {
  name: string
  runner: 'node' | 'tape'
  /** Its own tests, and how many of them pass by hand. */
  tests: string[]
  passes: number
  target: string
  /** The future interface without its logic, and with it. */
  changed(files: Files, stub: boolean): Files
  changeTest: string
  /** The body of a test that calls `name` from lib/. */
  uses(name: string, words: 'old' | 'new'): string
  signature: string
  useTest(name: string): string
  level: 'Breaking'
  changes: string[]
}

const notImplemented = "throw new Error('not implemented')"

const stories: Story[] = [
  {
    name: '@fastify/merge-json-schemas',
    runner: 'node',
    tests: ['test/required.test.js', 'test/all-of.test.js', 'test/merge-schema.test.js'],
    passes: 142,
    target: 'lib/resolvers.js',
    changed(files, stub) {
      const resolvers = files['lib/resolvers.js']!.replaceAll('arraysUnion', 'joinArrays')
      return {
        'lib/resolvers.js': stub ? resolvers.replace('const union = []', notImplemented) : resolvers,
        'index.js': files['index.js']!.replaceAll('resolvers.arraysUnion', 'resolvers.joinArrays'),
      }
    },
    changeTest: `const merged = {}
  require('../lib/resolvers').joinArrays('required', [['a'], ['a', 'b']], merged)
  assert.deepEqual(merged, { required: ['a', 'b'] })`,
    uses(name, words) {
      const called = words === 'old' ? 'arraysUnion' : 'joinArrays'
      return `'use strict'

const { ${called} } = require('./resolvers')

function ${name} (...schemas) {
  const merged = {}
  const lists = schemas.map((schema) => schema.tags ?? [])
  if (lists.length > 0) ${called}('tags', lists, merged)
  return merged.tags ?? []
}

module.exports = { ${name} }
`
    },
    signature: '(...schemas)',
    useTest: (name) => `assert.deepEqual(${name}({ tags: ['a'] }, {}, { tags: ['b', 'a'] }), ['a', 'b'])`,
    level: 'Breaking',
    changes: ['BehaviorChange keywordsResolvers', 'NewExport joinArrays', 'RemovedExport arraysUnion'],
  },
  {
    name: 'fast-content-type-parse',
    runner: 'node',
    tests: ['test/index.test.js'],
    passes: 98,
    target: 'index.js',
    changed(files, stub) {
      const longest = `
  if (options && header.length > options.longest) {
    throw new TypeError('the header is too long')
  }
`
      const text = files['index.js']!.replace('function parse (header) {', 'function parse (header, options) {')
      const at = text.indexOf('  const result = parseHeader(header)')
      return { 'index.js': stub ? text : `${text.slice(0, at).trimEnd()}\n${longest}\n${text.slice(at)}` }
    },
    changeTest: `assert.throws(() => require('..').parse('text/plain', { longest: 3 }), /too long/)`,
    uses(name, words) {
      const called = words === 'old' ? 'parse(header)' : 'parse(header, { longest: 1024 })'
      return `'use strict'

const { parse } = require('..')

function ${name} (header) {
  const { parameters } = ${called}
  return parameters.charset ?? 'utf-8'
}

module.exports = { ${name} }
`
    },
    signature: '(header)',
    useTest: (name) => `assert.equal(${name}('text/html; charset=latin1') + ${name}('a/b'), 'latin1utf-8')`,
    level: 'Breaking',
    changes: ['SignatureChange parse'],
  },
  {
    name: 'minimist',
    runner: 'tape',
    tests: ['test/parse.js', 'test/bool.js'],
    passes: 153,
    target: 'index.js',
    changed(files, stub) {
      const before = 'module.exports = function (args, opts) {\n'
      const signed = 'module.exports = function (args, opts, limit) {\n'
      const limited = `\tif (limit && args.length > limit) { throw new RangeError('too many arguments'); }\n`
      return { 'index.js': files['index.js']!.replace(before, stub ? signed : `${signed}${limited}`) }
    },
    changeTest: `assert.throws(function () { require('../')(['a', 'b'], {}, 1); }, /too many/)`,
    uses(name, words) {
      const called = words === 'old' ? "minimist(text.split(' '), options)" : "minimist(text.split(' '), options, 100)"
      return `'use strict';

var minimist = require('../');

function ${name}(text, options) {
	if (text === '') { return { _: [] }; }
	return ${called};
}

module.exports = { ${name}: ${name} };
`
    },
    signature: '(text, options)',
    useTest: (name) => `assert.deepEqual(${name}('--a 1 b'), { _: ['b'], a: 1 })`,
    level: 'Breaking',
    changes: ['SignatureChange default'],
  },
]

describe.skipIf(missing !== undefined)(missing === undefined ? title : `${title} (${missing})`, () => {
  const modules = 'modules' in published ? published.modules : ''

  it.each(stories)(
    '[RB2] $name: a part that only follows its sibling passes, one that changes logic is planned again',
    async (story) => {
      const files = filesOf(modules, story.name)
      const { spec, lines } = rehearsal(story, files)
      const project = buildProject({
        spec,
        lines,
        files: { ...files, '.gitignore': 'node_modules\n' },
        build: { test: commandOf(story), share: ['node_modules'], build: waitForSibling, sandbox: 'off' },
      })
      symlinkSync(modules, join(project.folder, 'node_modules'))
      const base = project.git('rev-parse', 'HEAD')

      const built = await project.build('--strategy', 'graph')

      expectExit(built, 0)
      const events = await project.events()
      const merges = ofType(events, 'merge.completed')
      const change = merges.find(({ node }) => node === 'change')!
      expect(merges[0]).toBe(change)
      expect(change.impactLevel).toBe(story.level)
      const told = (change.changes as { symbol: string; changeType: string }[]).map(
        ({ symbol, changeType }) => `${changeType} ${symbol}`,
      )
      expect(told.sort()).toEqual(story.changes)
      for (const node of ['follows', 'bends']) {
        const merge = merges.find((one) => one.node === node)!
        expect(merge).toMatchObject({ impactLevel: 'Additive', changes: [{ symbol: node, changeType: 'NewExport' }] })
      }

      const rebases = ofType(events, 'exit.routed').filter(({ from }) => from === 'rebaser')
      const exitsOf = (node: string) => rebases.filter((route) => route.node === node).map(({ exit }) => exit)
      expect(exitsOf('follows')[0]).toBe('RebaseAdapted')
      expect(exitsOf('follows')).not.toContain('RebaseConflict')
      expect(exitsOf('bends')[0]).toBe('RebaseConflict')
      expect(rebases.find(({ exit }) => exit === 'RebaseConflict')!.to).toEqual(['scaffold'])
      expect(asked(events).filter((line) => line === 'rebase follows')).toHaveLength(1)
      expect(asked(events).filter((line) => line === 'rebase bends')).toHaveLength(1)
      expect(asked(events).filter((line) => line === 'scaffold bends')).toHaveLength(2)
      expect(ofType(events, 'reply.refused')).toEqual([
        expect.objectContaining({
          node: 'bends',
          kind: 'rebase',
          problems: [expect.objectContaining({ rule: 'RB2' })],
        }),
      ])

      const result = join(project.folder, '../result')
      execFileSync('git', ['clone', '--quiet', '--branch', built.report.branch, project.folder, result])
      symlinkSync(modules, join(result, 'node_modules'))
      const ownTests = Object.keys(files).filter((path) => path.startsWith('test/'))
      expect(project.git('diff', '--name-only', base, built.report.commit!, '--', ...ownTests)).toBe('')
      const program = story.runner === 'node' ? process.execPath : join(modules, '.bin/tape')
      const suites = ownTests.filter((path) => /\.js$/.test(path))
      // This old tape looks for the files of each argument on its own, and ends when the first ones are done.
      const args = story.runner === 'node' ? ['--test', '--test-isolation=none', ...suites] : [`{${suites.join(',')}}`]
      const ran = spawnSync(program, args, {
        cwd: result,
        encoding: 'utf8',
      })
      const own = ran.stdout
      expect(ran.status, `${ran.signal ?? ''}\n${own}\n${ran.stderr}`).toBe(0)
      expect(own).toMatch(new RegExp(`pass +${story.passes}\\b`))
      expect(own).not.toMatch(/^not ok|fail +[1-9]/m)
      const all = execFileSync('sh', ['-c', commandOf(story)], { cwd: result, encoding: 'utf8' })
      expect(all).not.toMatch(/^not ok|fail +[1-9]/m)
    },
    300_000,
  )
})

function commandOf({ runner }: Story): string {
  if (runner === 'node') return `${JSON.stringify(process.execPath)} --test --test-isolation=none`
  return `node_modules/.bin/tape '{test,contract}/*.js'`
}

/** A part that uses what its sibling changes is slow: it ends once the sibling is merged. */
const waitForSibling = `if [ -e lib/follows.js ] || [ -e lib/bends.js ]; then
  until git log --format=%B refs/heads/convene/extended/+ | grep -q '^Convene-Node: extended/change$'; do sleep 0.2; done
fi`

function rehearsal(story: Story, files: Files): { spec: SpecFile; lines: Line[] } {
  const criterion = (id: string) => ({ id, text: `${id} holds` })
  const test = (names: Record<string, string>, imports = '') => {
    const head =
      story.runner === 'node'
        ? `'use strict'\nconst assert = require('node:assert')\nconst { test } = require('node:test')\n`
        : `'use strict'\nconst assert = require('node:assert')\nconst tape = require('tape')\n`
    const bodies = Object.entries(names).map(([name, body]) =>
      story.runner === 'node'
        ? `test('${name}', () => {\n  ${body}\n})\n`
        : `tape('${name}', function (t) {\n  t.doesNotThrow(function () {\n    ${body}\n  })\n  t.end()\n})\n`,
    )
    return head + imports + bodies.join('')
  }
  const change: Part = {
    spec: {
      id: 'change',
      description: `Changes what ${story.target} exports`,
      acceptanceCriteria: [criterion('changed')],
      targetPath: story.target,
      testPath: 'test/change.test.js',
    },
    interfaceFile: story.target,
    contract: 'contract/change.test.js',
    tests: { changed: 'the change is there' },
    scaffold: {
      ...story.changed(files, true),
      'contract/change.test.js': test({ 'the change can be loaded': "require('..')" }),
    },
    testFiles: { 'test/change.test.js': test({ 'the change is there': story.changeTest }) },
    code: story.changed(files, false),
  }
  const user = (name: string): Part => {
    const imports = `const { ${name} } = require('../lib/${name}')\n`
    return {
      spec: {
        id: name,
        description: `Adds ${name}`,
        acceptanceCriteria: [criterion(name)],
        targetPath: `lib/${name}.js`,
        testPath: `test/${name}.test.js`,
      },
      interfaceFile: `lib/${name}.js`,
      contract: `contract/${name}.test.js`,
      tests: { [name]: `${name} works` },
      scaffold: {
        [`lib/${name}.js`]: `'use strict'\n\nfunction ${name} ${story.signature} {\n  ${notImplemented}\n}\n\nmodule.exports = { ${name} }\n`,
        [`contract/${name}.test.js`]: test(
          { [`${name} is a function`]: `assert.equal(typeof ${name}, 'function')` },
          imports,
        ),
      },
      testFiles: { [`test/${name}.test.js`]: test({ [`${name} works`]: story.useTest(name) }, imports) },
      code: { [`lib/${name}.js`]: story.uses(name, 'old') },
    }
  }
  const [follows, bends] = [user('follows'), user('bends')]
  const root: Part = {
    spec: {
      id: 'extended',
      description: `Extends ${story.name}`,
      acceptanceCriteria: ['changed', 'follows', 'bends', 'together'].map(criterion),
      targetPath: 'extended.js',
      testPath: 'test/extended.test.js',
      complexityConstraints: { time: 'O(n)' },
    },
    interfaceFile: 'extended.js',
    contract: 'contract/extended.test.js',
    tests: { together: 'both come together' },
    scaffold: {
      'extended.js': `'use strict'\n\nfunction extended () {\n  ${notImplemented}\n}\n\nmodule.exports = { extended }\n`,
      'contract/extended.test.js': test({ 'the package can be loaded': "require('../extended')" }),
    },
    testFiles: {
      'test/extended.test.js': test({
        'both come together': "assert.deepEqual(Object.keys(require('../extended').extended()), ['follows', 'bends'])",
      }),
    },
    code: {
      'extended.js': `'use strict'

const { bends } = require('./lib/bends')
const { follows } = require('./lib/follows')

function extended () {
  return { follows, bends }
}

module.exports = { extended }
`,
    },
    parts: [change, follows, bends],
  }
  const { scaffold, testFiles } = bends
  const again = rehearse({ ...bends, scaffold, testFiles, code: { 'lib/bends.js': story.uses('bends', 'new') } })
  const adaptations = [{ symbol: story.target, change: 'as the sibling has it', reason: 'it was merged first' }]
  return {
    spec: root.spec,
    lines: [
      ...rehearse(root),
      {
        when: { ask: 'rebase', node: 'follows' },
        files: { 'lib/follows.js': story.uses('follows', 'new') },
        reply: { RebaseAdapted: { adaptations } },
      },
      {
        when: { ask: 'rebase', node: 'bends' },
        // With the sibling's new names, but different behaviour.
        files: {
          'lib/bends.js': story.uses('bends', 'new').replace(/ {2}return|\treturn/, '  if (0) return null\n  return'),
        },
        reply: { RebaseAdapted: { adaptations } },
      },
      ...again,
    ],
  }
}
