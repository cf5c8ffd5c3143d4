import { describe, expect, it } from 'vitest'
import { askedRules } from './own-rules.ts'

const rule = (permission: string, pattern: string, action: string) => ({ permission, pattern, action })
const defaults = rule('*', '*', 'allow')

describe('[AG2] rules of an agent’s own', () => {
  it('what it allows is asked about', () => {
    expect(askedRules([defaults], 'bash')).toEqual({ '*': 'ask' })
    expect(askedRules([], 'bash')).toEqual({ '*': 'ask' })
    expect(askedRules([defaults, rule('bash', 'git *', 'allow')], 'bash')).toEqual({ '*': 'ask', 'git *': 'ask' })
  })

  it('what it forbids stays forbidden, whole tools and single commands', () => {
    expect(askedRules([defaults, rule('bash', '*', 'deny')], 'bash')).toEqual({ '*': 'deny' })
    expect(askedRules([rule('*', '*', 'deny')], 'edit')).toEqual({ '*': 'deny' })
    expect(askedRules([defaults, rule('b*', 'rm *', 'deny')], 'bash')).toEqual({ '*': 'ask', 'rm *': 'deny' })
    expect(askedRules([defaults, rule('bash', 'rm *', 'deny')], 'edit')).toEqual({ '*': 'ask' })
  })

  it('the last rule counts, so the order stays', () => {
    const rules = [
      defaults,
      rule('bash', 'rm *', 'deny'),
      rule('bash', 'git *', 'allow'),
      rule('bash', 'rm *', 'allow'),
    ]
    expect(Object.entries(askedRules(rules, 'bash'))).toEqual([
      ['*', 'ask'],
      ['git *', 'ask'],
      ['rm *', 'ask'],
    ])
    const exceptions = [rule('bash', '*', 'deny'), rule('bash', 'git *', 'allow'), rule('bash', 'git push*', 'deny')]
    expect(Object.entries(askedRules(exceptions, 'bash'))).toEqual([
      ['*', 'deny'],
      ['git *', 'ask'],
      ['git push*', 'deny'],
    ])
  })

  it('a rule for everything replaces those before it', () => {
    expect(askedRules([rule('bash', 'rm *', 'deny'), rule('bash', '*', 'allow')], 'bash')).toEqual({ '*': 'ask' })
  })
})
