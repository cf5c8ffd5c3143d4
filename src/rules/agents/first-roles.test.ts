import { describe, expect, it } from 'vitest'
import { type Candidate, firstRoles, joining } from './first-roles.ts'

const coding = (name: string, vendor: string): Candidate => ({ name, kind: 'coding', vendor })
const model = (name: string, vendor: string): Candidate => ({ name, kind: 'model', vendor })
const claudeCode = coding('claude', 'anthropic')
const codex = coding('codex', 'openai')
const geminiCli = coding('gemini', 'google')
const names = (found: Candidate[]) => joining(found).map(({ name }) => name)

describe('the agents and roles of a new project', () => {
  it('[AG7] coding agents come first, and stand for the models of their vendor', () => {
    expect(names([model('gpt', 'openai'), model('claude-api', 'anthropic'), claudeCode])).toEqual(['claude', 'gpt'])
    expect(names([model('claude', 'anthropic'), model('gpt', 'openai')])).toEqual(['claude', 'gpt'])
  })

  it('[AG7] a coding agent implements and another vendor reviews', () => {
    expect(firstRoles([claudeCode, codex])).toEqual({ impl: 'claude', reviewer: 'codex' })
    expect(firstRoles([model('gpt', 'openai'), claudeCode])).toEqual({ impl: 'claude', reviewer: 'gpt' })
    expect(firstRoles([coding('one', 'anthropic'), coding('two', 'anthropic'), codex])).toMatchObject({
      impl: 'one',
      reviewer: 'codex',
    })
  })

  it('[AG7] a third vendor writes the tests', () => {
    expect(firstRoles([claudeCode, codex, geminiCli])).toEqual({ impl: 'claude', reviewer: 'codex', tdd: 'gemini' })
    expect(firstRoles([claudeCode, model('gpt', 'openai'), model('gemini', 'google')])).toMatchObject({ tdd: 'gemini' })
  })

  it('[AG7] two agents of one vendor still review each other', () => {
    expect(firstRoles([coding('a', 'opencode'), coding('b', 'opencode')])).toEqual({ impl: 'a', reviewer: 'b' })
  })

  it('[AG7] one agent has every role, so none is written', () => {
    expect(firstRoles([claudeCode])).toEqual({})
    expect(firstRoles([])).toEqual({})
  })
})
