/** Every rule of `convene decide`, each against ten thousand hostile inputs. */
import { describe, expect, it } from 'vitest'
import { loadRule, type RuleName, ruleNames } from '../../src/rules/catalogue.ts'
import { applyRule } from '../../src/rules/schema/rule.ts'
import { goodInputs, hostileInputs } from './hostile-inputs.ts'

/** The keys that an answer always has. */
const shapes: Record<RuleName, string[]> = {
  dispatch: ['mode', 'winner', 'responders', 'overlap', 'rule', 'reason'],
  turn: ['envelope', 'next'],
  convergence: ['score', 'agreement_ratio', 'stability', 'level', 'positions', 'verdict'],
  strategy: ['strategy', 'rounds'],
  risk: ['flags', 'suggestion'],
  specify: ['score', 'passed', 'proceed', 'questions', 'flags'],
  review: ['outcome', 'action', 'blocking', 'carried', 'noted', 'advisory', 'degraded'],
  graph: ['exit', 'next', 'action'],
  issue: ['next', 'skipped', 'errors'],
  duplicate: ['implemented', 'suspected', 'evidence'],
}

describe.each(ruleNames)('convene decide %s', (name) => {
  it('answers a valid input in its shape, deterministically, and explains it', async () => {
    const rule = await loadRule(name)
    const first = applyRule(rule, goodInputs[name])
    const second = applyRule(rule, structuredClone(goodInputs[name]))
    if (!first.ok || !second.ok) throw new Error(JSON.stringify(first))
    expect(Object.keys(first.output as object)).toEqual(expect.arrayContaining(shapes[name]))
    expect(second.output).toEqual(first.output)
    expect(first.explanation()).toMatch(/\[[A-Z]{2}\d+\]/)
  })

  it('returns an answer of its shape or an error with its place, for 10,000 hostile inputs', async () => {
    const rule = await loadRule(name)
    let answered = 0
    for (const input of hostileInputs(name, 10_000, name.length * 7919)) {
      const ruling = applyRule(rule, input)
      if (ruling.ok) {
        answered++
        const missing = shapes[name].filter((key) => !Object.hasOwn(ruling.output as object, key))
        if (missing.length > 0) throw new Error(`answer without ${missing} for ${describeInput(input)}`)
        if (describeInput(input) !== typeof input) JSON.stringify(ruling.output)
        if (ruling.explanation() === '') throw new Error(`no explanation for ${describeInput(input)}`)
        continue
      }
      const { code, message, path } = ruling.error
      if (!code || !message) throw new Error(`an empty error for ${describeInput(input)}`)
      if (path === undefined && isPlainObject(input))
        throw new Error(`"${message}" does not say where, for ${describeInput(input)}`)
    }
    expect(answered).toBeGreaterThan(100)
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })
})

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return Object.prototype.toString.call(value) === '[object Object]'
}

function describeInput(input: unknown): string {
  try {
    return JSON.stringify(input)?.slice(0, 500) ?? String(input)
  } catch {
    return typeof input
  }
}
