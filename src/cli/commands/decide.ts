/** `convene decide`: evaluates one of the ten rules. Needs no project, state or agents. */
import { createInterface } from 'node:readline'
import { ConveneError } from '../../kernel/errors.ts'
import { isRuleName, loadRule, ruleNames } from '../../rules/catalogue.ts'
import { applyRule, type InputError, type Rule, type Ruling } from '../../rules/schema/rule.ts'
import { nearest } from '../../rules/text/nearest.ts'
import type { CommandContext } from './command.ts'

export async function decideCommand(
  _context: CommandContext,
  name: string,
  options: { lines?: boolean; explain?: boolean },
): Promise<number> {
  if (!isRuleName(name)) {
    const near = nearest(name, ruleNames)
    throw new ConveneError('unknown_rule', `unknown rule '${name}'${near ? `; did you mean '${near}'?` : ''}`, {
      path: 'rule',
      expected: ruleNames.join(' | '),
    })
  }
  const rule = await loadRule(name)
  const say = (ruling: Ruling<unknown>) => say_(ruling, Boolean(options.explain))
  if (options.lines) return decideLines(rule, say)
  const ruling = decide(rule, await readAll())
  say(ruling)
  return ruling.ok ? 0 : 2
}

async function decideLines(rule: Rule<unknown, unknown>, say: (ruling: Ruling<unknown>) => void): Promise<number> {
  let exitCode = 0
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue
    const ruling = decide(rule, line)
    if (!ruling.ok) exitCode = 2
    say(ruling)
    if (process.stdout.writableNeedDrain) await new Promise((resolve) => process.stdout.once('drain', resolve))
  }
  return exitCode
}

function decide(rule: Rule<unknown, unknown>, text: string): Ruling<unknown> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const what = text.trim() === '' ? 'stdin is empty' : (error as Error).message
    return {
      ok: false,
      error: {
        code: 'invalid_json',
        message: `the input is not JSON: ${what}`,
        expected: 'a JSON object',
      } satisfies InputError,
    }
  }
  return applyRule(rule, value)
}

function say_(ruling: Ruling<unknown>, explain: boolean): void {
  const text = !ruling.ok
    ? JSON.stringify({ error: ruling.error })
    : explain
      ? ruling.explanation()
      : JSON.stringify(ruling.output)
  process.stdout.write(`${text}\n`)
}

async function readAll(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
