/** `eval:convergence` as a person runs it: real files, a real process. */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { knownRounds } from '../src/rules/convergence/convergence.fixture.ts'
import { evaluation } from './evaluation.ts'

const { file, run } = evaluation('eval-convergence')

const agreeing = { outputs: ['\\boxed{1}', 'I agree: \\boxed{1}'], agree: true }
const differing = { outputs: ['\\boxed{1}', 'However, \\boxed{2}'], agree: false }

describe('eval:convergence', () => {
  it('[CV5] prints both areas on lines that name their measure, and a table by kind', () => {
    const { status, stdout } = run(file('prose.jsonl', knownRounds))
    expect(status).toBe(0)
    expect(stdout).toMatch(/^ {2}lexical {3}AUC 0\.\d{3} {2}\(56 rounds, 28 agree\)$/m)
    expect(stdout).toMatch(/^ {2}positions AUC (?:0\.9\d\d|1\.000) {2}\(56 rounds, 28 agree\)$/m)
    expect(stdout).toMatch(/^ {2}negation +7 /m)
  })

  it('[CV5] separates rounds that were written before the rule was read', () => {
    const { files } = JSON.parse(run(join(import.meta.dirname, '..', 'examples', 'convergence.jsonl'), '--json').stdout)
    expect(files[0]).toMatchObject({ rounds: 88, agree: 44 })
    expect(files[0].positions).toBeGreaterThanOrEqual(0.8)
  })

  it('[CV5] judges each kind by a threshold of the other kinds', () => {
    const round = (kind: string, agree: boolean) => ({ ...(agree ? agreeing : differing), kind })
    const rows = ['one', 'two'].flatMap((kind) => [round(kind, true), round(kind, false)])
    const path = file('kinds.jsonl', rows)
    expect(run(path).stdout).toMatch(/^ {2}held out {2}1\.000 {2}judged rightly .* of the kinds 1\.000$/m)
    const { files } = JSON.parse(run(path, '--json').stdout)
    expect(files[0].held_out).toMatchObject({ accuracy: 1, mean_auc: 1 })
    expect(files[0].held_out.groups[0]).toMatchObject({ name: 'one', right: 2, of: 2 })
  })

  it('[CV5] judges kinds once more without the words that no other kind uses', () => {
    const round = (kind: string, agree: boolean, ...outputs: string[]) => ({ kind, agree, outputs })
    // Only one kind, here and among the examples, says "discard": without it nobody can tell who is against the lamp.
    const lamps = [
      round('lamps', true, 'I recommend the lamp.', 'I recommend the lamp, too.'),
      round('lamps', false, 'I recommend the lamp.', 'I would discard the lamp.'),
    ]
    const other = [
      round('chairs', true, 'I recommend the chair.', 'I recommend the chair as well.'),
      round('chairs', false, 'I recommend the chair.', 'I recommend no chair.'),
    ]
    const { files } = JSON.parse(run(file('own-words.jsonl', [...lamps, ...other]), '--json').stdout)
    expect(files[0].held_out).toMatchObject({ accuracy: 1, unlearned: 0.75 })
    expect(run(file('own-words.jsonl', [...lamps, ...other])).stdout).toMatch(
      /^ {2}unlearned 0\.750 {2}the same without/m,
    )
  })

  it('[CV5] measures several files one by one and together', () => {
    const one = file('one.jsonl', [agreeing, differing])
    const two = file('two.jsonl', [differing, '', agreeing, { outputs: ['alone'], agree: true }])
    const { files, pooled } = JSON.parse(run(one, two, '--json').stdout)
    expect(files).toMatchObject([
      { rounds: 2, skipped: 0, positions: 1 },
      { rounds: 2, skipped: 1, positions: 1 },
    ])
    expect(pooled).toMatchObject({ rounds: 4, agree: 2, lexical: 1, positions: 1 })
  })

  it.each<[string, () => string[], RegExp]>([
    ['no file', () => [], /no file given/],
    ['a file that is not there', () => ['absent.jsonl'], /cannot read .*absent\.jsonl/],
    [
      'a line that is not JSON',
      () => [file('broken.jsonl', [agreeing, differing, '{"outputs"'])],
      /broken\.jsonl:3: not JSON/,
    ],
    [
      'a round without its label',
      () => [file('unlabelled.jsonl', [{ outputs: ['a', 'b'] }])],
      /unlabelled\.jsonl:1: agree/,
    ],
    ['rounds of one class only', () => [file('one-class.jsonl', [agreeing, agreeing])], /needs both kinds/],
    ['an empty file', () => [file('empty.jsonl', [])], /no rounds/],
    ['an option it does not know', () => ['--jsonl'], /unknown option --jsonl/],
  ])('[CV5] exits with 2 and says why on %s', (_, args, message) => {
    const { status, stderr, stdout } = run(...args())
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toMatch(message)
  })
})
