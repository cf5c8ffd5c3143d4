/** `eval:dispatch` as a person runs it: real files, a real process. */
import { describe, expect, it } from 'vitest'
import { evaluation } from './evaluation.ts'

const { file, run } = evaluation('eval-dispatch')

const proposal = { angle: 'x', confidence: 0.9, covers: ['x'], solo_sufficient: true }
const proposals = { gpt: proposal, claude: { ...proposal, confidence: 0.8 } }
const alone = { wanted: ['solo', 'solo'], acceptable: [['solo'], ['solo']], good_alone: [['gpt'], ['gpt']] }
const together = { wanted: ['parallel', 'parallel'], acceptable: [['parallel'], ['parallel']], good_alone: [[], []] }

describe('eval:dispatch', () => {
  it('[DP11] prints each measure, by the default rule', () => {
    const rows = [
      { message: 'which port?', proposals, ...alone },
      { message: 'each of you, please', proposals, ...together },
      { message: 'which port?', proposals, ...together },
      { message: 'each of you, please', proposals, ...alone, wanted: ['solo', 'parallel'] },
    ]
    const { status, stdout } = run(file('messages.jsonl', rows))
    expect(status).toBe(0)
    expect(stdout).toMatch(/agreement +0\.667 +of 3 /)
    expect(stdout).toMatch(/recall +0\.500 +of 2 /)
    expect(stdout).toMatch(/noise +0\.000 +of 1 /)
    expect(stdout).toMatch(/right +0\.500 +of 2 /)
    expect(stdout).toMatch(/answers +1\.500 /)
  })

  it('[DP11] measures the seed rule on request, and the committed example without a file', () => {
    const seed = run(
      file('seed.jsonl', [{ message: 'each of you', proposals, ...together }]),
      '--rule',
      'seed',
      '--json',
    )
    expect(JSON.parse(seed.stdout).files[0]).toMatchObject({ agreement: { of: 1, share: 0 }, answers: 1 })
    const example = run('--json')
    expect(example.status).toBe(0)
    expect(JSON.parse(example.stdout).files[0]).toMatchObject({ agreement: { share: 1 }, noise: { share: 0 } })
  })

  it.each<[string, () => string[], RegExp]>([
    ['a file that is not there', () => ['absent.jsonl'], /cannot read .*absent\.jsonl/],
    ['a line that is not JSON', () => [file('broken.jsonl', ['{"message"'])], /broken\.jsonl:1: not JSON/],
    ['a line without a wish', () => [file('wish.jsonl', [{ message: 'x', proposals }])], /wish\.jsonl:1: wanted/],
    ['an empty file', () => [file('empty.jsonl', [''])], /empty\.jsonl: no messages/],
    ['an unknown option', () => ['--loud'], /--loud/],
    ['an unknown rule', () => ['--rule', 'mine'], /limits\.rule/],
  ])('[DP11] explains %s', (_, args, problem) => {
    const { status, stderr } = run(...args())
    expect(status).toBe(2)
    expect(stderr).toMatch(problem)
  })
})
