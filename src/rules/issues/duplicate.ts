/** Decides whether an issue is already implemented, and on what evidence. SPEC.md § DU. */
import { z } from 'zod'
import type { Rule } from '../schema/rule.ts'
import { oneLine } from '../text/one-line.ts'
import { type GitSync, gitSync } from './git-sync.ts'

export const duplicateInput = z.object({
  issue: z.int().min(0),
  feature: z.string().min(1),
  commits: z.array(
    z.object({
      subject: z.string(),
      body: z.string().optional(),
      reverted: z.boolean().optional(),
      hash: z.string().optional(),
      parents: z.array(z.string()).optional(),
      reachable: z.boolean().optional(),
      branch: z.string().optional(),
    }),
  ),
  tests: z
    .object({
      exist: z.boolean(),
      pass: z.boolean(),
      path: z.string().optional(),
      at_greenlight: z.enum(['absent', 'failed', 'passed', 'unknown']).default('absent'),
      carry_criteria: z.boolean().default(false),
    })
    .optional(),
  files: z
    .object({
      exist: z.boolean(),
      path: z.string().optional(),
      at_greenlight: z.enum(['absent', 'present', 'unknown']).default('absent'),
      /** Whether a file that existed at greenlight differs since. */
      changed: z.boolean().optional(),
    })
    .optional(),
  limits: z.strictObject({}).optional(),
})

export type DuplicateInput = z.output<typeof duplicateInput>

export interface Evidence {
  kind: 'commit' | 'tests' | 'file'
  detail: string
}

export interface DuplicateDecision {
  implemented: boolean
  suspected: boolean
  evidence: Evidence[]
}

/**
 * [DU1] Strongest evidence first. A commit that stands is proof, and so are passing tests that came or turned green after
 * greenlight or carry the issue's criterion ids. A file that came after greenlight leads to a question; while the issue's
 * file is what it was at greenlight, tests that came since are about what was there already.
 */
export function decideDuplicate(input: DuplicateInput): DuplicateDecision {
  const evidence = [...commitEvidence(input), ...testEvidence(input), ...fileEvidence(input)]
  const implemented = evidence.some(({ kind }) => kind !== 'file')
  return { implemented, suspected: !implemented && evidence.length > 0, evidence }
}

/** The results of both checks, before and under the claim, and the person's answer. */
export interface DispatchChecks {
  before?: DuplicateDecision
  underLock?: DuplicateDecision
  answer?: 'implement' | 'done'
}

export type DispatchStep = 'check' | 'lock-and-check' | 'ask' | 'done' | 'implement'

/** [DU2] Work starts only after both checks: another worker may finish between the first check and the claim. */
export function dispatchStep({ before, underLock, answer }: DispatchChecks): DispatchStep {
  if (before?.implemented || underLock?.implemented) return 'done'
  if (!before) return 'check'
  if (before.suspected || underLock?.suspected) {
    if (!answer) return 'ask'
    if (answer === 'done') return 'done'
  }
  return underLock ? 'implement' : 'lock-and-check'
}

/** What `--answers` and `--yes` say to a suspicion. `--yes` builds the issue: nothing is skipped without a person's word. */
export function preparedAnswer(
  question: string,
  { answers = [], yes = false }: { answers?: readonly { match: string; answer: string }[]; yes?: boolean },
): { answer: 'implement' | 'done'; by: 'answers file' | '--yes' } | null {
  const given = answers.find(({ match }) => question.toLowerCase().includes(match.toLowerCase()))?.answer.trim()
  const answer = suspicionChoices.find((choice) => choice === given?.toLowerCase())
  if (answer) return { answer, by: 'answers file' }
  return yes ? { answer: 'implement', by: '--yes' } : null
}

export const suspicionChoices = ['implement', 'done'] as const

export const rule: Rule<DuplicateInput, DuplicateDecision> = {
  name: 'duplicate',
  input: duplicateInput,
  decide: decideDuplicate,
  explain: explainDuplicate,
}

function commitEvidence(input: DuplicateInput): Evidence[] {
  const found = gitSync(input.feature, input.commits).done.find(({ number }) => number === input.issue)
  if (!found) return []
  const name = found.commit.hash ? `${found.commit.hash.slice(0, 12)} ` : ''
  return [{ kind: 'commit', detail: `${name}${found.commit.subject} (by its ${found.by})` }]
}

function testEvidence({ tests, files, feature, issue }: DuplicateInput): Evidence[] {
  if (!tests?.exist || !tests.pass || !testsCount(tests, files)) return []
  return [
    { kind: 'tests', detail: `the tests of ${feature}#${issue}${at(tests.path)} exist and pass${grounds(tests)}` },
  ]
}

type TestSigns = NonNullable<DuplicateInput['tests']>

/** Tests that passed before the issue was admitted, or on unchanged code, say nothing about it, unless they carry its criteria. */
function testsCount({ at_greenlight, carry_criteria }: TestSigns, files: DuplicateInput['files']): boolean {
  if (carry_criteria) return true
  return (at_greenlight === 'absent' || at_greenlight === 'failed') && files?.changed !== false
}

function grounds({ at_greenlight, carry_criteria }: TestSigns): string {
  if (carry_criteria) return ', and carry its criterion ids'
  return at_greenlight === 'failed' ? ', and failed at greenlight' : ''
}

function fileEvidence({ files, feature, issue }: DuplicateInput): Evidence[] {
  if (!files?.exist || files.at_greenlight !== 'absent') return []
  return [{ kind: 'file', detail: `the implementation file of ${feature}#${issue}${at(files.path)} exists` }]
}

const at = (path: string | undefined) => (path === undefined ? '' : `, ${oneLine(path)},`)

function explainDuplicate(input: DuplicateInput, output: DuplicateDecision): string {
  const name = `${oneLine(input.feature)}#${input.issue}`
  const sync = gitSync(input.feature, input.commits)
  return [
    `${name} ${verdict(output)} [DU1]`,
    ...output.evidence.map(({ kind, detail }) => `  ${kind}: ${oneLine(detail, 200)}`),
    ...asides(input, sync).map((aside) => `  not counted: ${aside}`),
  ].join('\n')
}

function verdict({ implemented, suspected }: DuplicateDecision): string {
  if (implemented) return 'is already implemented.'
  return suspected ? 'may be implemented: a file alone leads to a question, never to skipping.' : 'is not implemented.'
}

function asides({ issue, tests, files }: DuplicateInput, sync: GitSync): string[] {
  const elsewhere = sync.elsewhere.filter(({ number }) => number === issue).length
  return [
    ...(sync.reverted.includes(issue) ? ['its commit was reverted [SY1]'] : []),
    ...(elsewhere > 0 ? [`${elsewhere} commit(s) on other branches [SY1]`] : []),
    ...(tests?.exist && !tests.pass ? ['its tests exist and do not pass'] : []),
    ...(tests?.exist && tests.pass && !testsCount(tests, files) ? [`its tests ${whyNot(tests)}`] : []),
    ...(files?.exist && files.at_greenlight !== 'absent' ? [`its file ${before(files.at_greenlight)}`] : []),
  ]
}

function whyNot({ at_greenlight }: TestSigns): string {
  const isNew = at_greenlight === 'absent' || at_greenlight === 'failed'
  return isNew ? 'pass, but its file has not changed since greenlight' : before(at_greenlight)
}

function before(then: 'absent' | 'failed' | 'passed' | 'present' | 'unknown'): string {
  if (then === 'passed') return 'passed at greenlight already'
  return then === 'present' ? 'existed at greenlight already' : 'may have been there at greenlight'
}
