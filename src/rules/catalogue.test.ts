/** What `convene decide` promises to other programs: the names of the rules, and the fields of each decision. */
import { describe, expect, it } from 'vitest'
import { loadRule, type RuleName, ruleNames } from './catalogue.ts'
import { applyRule } from './schema/rule.ts'

const proposal = (angle: string, confidence: number, covers: string[]) => ({ angle, confidence, covers })
const session = { participants: ['gpt', 'claude'], round: 1, max_rounds: 6 }
const finding = { severity: 'MAJOR', confidence: 90, title: 'No limit' }

/** Every field of the input that is documented, and the decision in full. */
const examples: Record<RuleName, [input: object, output: object][]> = {
  dispatch: [
    [
      {
        proposals: { gpt: proposal('storage', 0.8, ['postgres']), claude: proposal('queues', 0.7, ['redis']) },
        agents: ['gpt', 'claude'],
        message: 'Which store?',
        history: [{ sender: 'you', text: 'hi' }],
        limits: { rule: 'seed' },
      },
      {
        mode: 'parallel',
        winner: 'gpt',
        runnerUp: 'claude',
        responders: ['gpt', 'claude'],
        overlap: 0,
        rule: 'parallel',
        reason: expect.any(String),
      },
    ],
  ],
  turn: [
    [
      { session, speaker: 'gpt', reply: '{"message": "hi", "handoff": {"to": "claude", "task": "go on"}}' },
      {
        envelope: { message: 'hi', handoff: { to: 'claude', task: 'go on' } },
        next: { kind: 'turn', speaker: 'claude', round: 2, task: 'go on' },
      },
    ],
    [
      { session, speaker: 'gpt', reply: 'hi' },
      { envelope: { message: 'hi' }, warning: expect.any(String), next: { kind: 'end', reason: 'malformed' } },
    ],
  ],
  convergence: [
    [
      {
        outputs: ['I agree: SQLite.', 'I concur: SQLite.'],
        positions: ['a', 'b'].map((agent) => ({ agent, question: 'store', choice: 'SQLite', confidence: 0.9 })),
      },
      {
        score: 0.8,
        agreement_ratio: 1,
        stability: 0.5,
        level: 'high',
        positions: { score: 1, level: 'high' },
        verdict: 'high',
      },
    ],
    [
      { outputs: ['', ' '] },
      {
        score: null,
        agreement_ratio: null,
        stability: null,
        level: null,
        positions: { score: null, level: null },
        verdict: null,
        skipped: expect.any(String),
        degraded: true,
      },
    ],
  ],
  strategy: [
    [
      {
        phase: 4,
        mode: 'complete',
        flags: { s8_convergence_detection: true },
        signals: { security_keywords: 3, files_affected: 9, open_questions: 1, specify_score: 9 },
      },
      { strategy: 'red_team', rounds: 3, override: expect.any(String) },
    ],
    [
      { phase: '4', mode: 'complete' },
      { strategy: 'perspectives', rounds: 2 },
    ],
  ],
  risk: [
    [
      { prompt: 'drop table users in production' },
      {
        flags: ['production-access', 'destructive-ops'],
        suggestion: { mode: 'complete', message: expect.any(String) },
      },
    ],
    [{ prompt: 'rename a file' }, { flags: [], suggestion: null }],
  ],
  specify: [
    [
      {
        scores: { value: 2, scope: 0, acceptance: 2, constraints: 1, risk: 1 },
        iteration: 1,
        mode: 'standard',
        research_degraded: false,
      },
      {
        score: 6,
        passed: false,
        proceed: false,
        weakest: 'scope',
        questions: Array.from({ length: 3 }, () => expect.any(String)),
        flags: [],
      },
    ],
  ],
  review: [
    [
      { findings: [finding], iteration: 1, reviewers_missing: 1 },
      {
        outcome: 'pass_with_risk',
        action: 'carry',
        blocking: [],
        carried: [finding],
        noted: [],
        advisory: [],
        degraded: true,
      },
    ],
  ],
  graph: [
    [
      { node: 'impl', exit: 'RequestRetry', attempt: 5 },
      { exit: 'Stuck', next: [], action: 'escalate', capped: 'attempts' },
    ],
    [
      { node: 'tdd', mode: 'review', exit: 'MoreTests', counts: { reviews: 1, scaffolds: 0, merges: 0, rebases: 0 } },
      { exit: 'MoreTests', next: [{ node: 'tdd', mode: 'write-tests' }], action: 'route' },
    ],
    [
      { node: 'scaffold', exit: 'InitWork', children: 2 },
      {
        exit: 'InitWork',
        next: [{ node: 'children' }, { node: 'tdd', mode: 'write-tests' }, { node: 'impl' }],
        action: 'spawn',
      },
    ],
  ],
  issue: [
    [
      {
        issues: [
          { number: 1, state: 'DONE' },
          { number: 2, depends_on: [1], size: 'small', business_value: 0.5, risk: 0.1 },
          { number: 3, state: 'BLOCKED' },
          { number: 4, depends_on: [3] },
          { number: 5, depends_on: [9] },
        ],
      },
      { next: 2, skipped: [{ number: 4, reason: expect.any(String) }], errors: [expect.stringContaining('9')] },
    ],
    [{ issues: [] }, { next: null, skipped: [], errors: [] }],
  ],
  duplicate: [
    [
      {
        issue: 1,
        feature: 'demo',
        commits: [{ subject: 'feat(demo): Implement issue #1', body: '', reverted: false }],
        tests: { exist: true, pass: true },
        files: { exist: true },
      },
      {
        implemented: true,
        suspected: false,
        evidence: ['commit', 'tests', 'file'].map((kind) => ({ kind, detail: expect.any(String) })),
      },
    ],
  ],
}

describe('the rules by hand', () => {
  it('are ten, under these names', () => {
    expect(ruleNames.toSorted()).toEqual(
      'convergence dispatch duplicate graph issue review risk specify strategy turn'.split(' '),
    )
  })

  it.each(Object.keys(examples) as RuleName[])('%s decides in exactly the documented fields', async (name) => {
    const rule = await loadRule(name)
    for (const [input, output] of examples[name]) {
      const ruling = applyRule(rule, input)
      expect(ruling.ok ? JSON.parse(JSON.stringify(ruling.output)) : ruling).toEqual(output)
    }
  })

  it.each(ruleNames)('%s names the place of a wrong input', async (name) => {
    const rule = await loadRule(name)
    for (const input of [null, [], { limits: { no_such_limit: 1 } }]) {
      const ruling = applyRule(rule, input)
      expect(ruling).toMatchObject({ ok: false, error: { code: expect.any(String), message: expect.any(String) } })
    }
  })
})
