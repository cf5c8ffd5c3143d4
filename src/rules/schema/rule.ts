/** The interface of a rule that `convene decide` runs: an input schema, a decision and an explanation. */
import type { z } from 'zod'

export interface Rule<Input, Output> {
  readonly name: string
  /** Validates the input and fills in defaults. `decide` never throws on what it accepts. */
  readonly input: z.ZodType<Input>
  decide(input: Input): Output
  /** Explains the decision to a person: the figures and the rule that fired. Plain text, no colour. */
  explain(input: Input, output: Output): string
}

/** What is wrong with an input, where (a dotted path), and what was expected. */
export interface InputError {
  code: string
  message: string
  path?: string
  expected?: string
}

export type Ruling<Output> = { ok: true; output: Output; explanation: () => string } | { ok: false; error: InputError }

/** Applies a rule to an unchecked value. Never throws on bad input. */
export function applyRule<Input, Output>(rule: Rule<Input, Output>, value: unknown): Ruling<Output> {
  const parsed = rule.input.safeParse(value)
  if (!parsed.success) return { ok: false, error: inputError(parsed.error) }
  const output = rule.decide(parsed.data)
  return { ok: true, output, explanation: () => rule.explain(parsed.data, output) }
}

/** The first problem, in the shape that the CLI and HTTP return. */
export function inputError(error: z.ZodError): InputError {
  const issue = deepest(error.issues[0]!)
  const path = issue.path.map(String).join('.')
  const expected = expectedOf(issue)
  return {
    code: 'invalid_input',
    message: path ? `${path}: ${issue.message}` : issue.message,
    ...(path ? { path } : {}),
    ...(expected ? { expected } : {}),
  }
}

type Issue = z.core.$ZodIssue

/** Of a union's branches, the one that got furthest has the most useful error. */
function deepest(issue: Issue): Issue {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return issue
  const branches = issue.errors.flatMap((errors) => (errors[0] ? [deepest(errors[0])] : []))
  const furthest = branches.sort((a, b) => b.path.length - a.path.length)[0]
  if (!furthest || furthest.path.length === 0) return issue
  return { ...furthest, path: [...issue.path, ...furthest.path] }
}

function expectedOf(issue: Issue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected
    case 'invalid_value':
      return issue.values.map(String).join(' | ')
    case 'too_small':
      return `${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}`
    case 'too_big':
      return `${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum}`
    case 'invalid_format':
      return issue.format
    case 'unrecognized_keys':
      return 'no other keys'
    default:
      return undefined
  }
}
