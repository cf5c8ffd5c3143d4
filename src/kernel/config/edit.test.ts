import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { editConfigText } from './edit.ts'

describe('editConfigText', () => {
  it('changes a value and keeps every comment and the order', () => {
    const text = `# My project
agents:
  # the strong one
  claude: { provider: acp, agent: claude-code }

# who does what
roles:
  impl: claude # writes the code
  #   coordinator: claude
budget:
  calls: 500
`
    const edited = editConfigText(text, [
      { path: ['roles', 'impl'], value: 'gpt' },
      { path: ['roles', 'reviewer'], value: 'claude' },
      { path: ['agents', 'gpt'], value: { provider: 'openai', helper: true } },
    ])
    expect(edited).toBe(`# My project
agents:
  # the strong one
  claude: { provider: acp, agent: claude-code }
  gpt: { provider: openai, helper: true }

# who does what
roles:
  impl: gpt # writes the code
  reviewer: claude
  #   coordinator: claude
budget:
  calls: 500
`)
  })

  it('writes entries as blocks beside blocks', () => {
    const edited = editConfigText('agents:\n  a:\n    provider: openai\n', [
      { path: ['agents', 'b'], value: { provider: 'acp', agent: 'codex' } },
    ])
    expect(edited).toBe('agents:\n  a:\n    provider: openai\n  b:\n    provider: acp\n    agent: codex\n')
  })

  it('removes a key', () => {
    expect(editConfigText('roles:\n  impl: a # x\n  tdd: b\n', [{ path: ['roles', 'impl'], value: undefined }])).toBe(
      'roles:\n  tdd: b\n',
    )
    expect(editConfigText('budget: {calls: 1}\n', [{ path: ['roles', 'impl'], value: undefined }])).toContain('calls')
  })

  it('fills a key whose lines are all commented out, and a file of comments alone', () => {
    const emptyRoles = 'agents:\n  a: { provider: openai }\nroles:\n  # impl: a\nbudget:\n  calls: 3\n'
    const edited = editConfigText(emptyRoles, [{ path: ['roles', 'impl'], value: 'a' }])
    expect(parse(edited)).toEqual({ agents: { a: { provider: 'openai' } }, roles: { impl: 'a' }, budget: { calls: 3 } })
    expect(edited).toContain('# impl: a')
    const comments = '# The configuration of Convene.\n# agents:\n#   x: 1\n'
    const filled = editConfigText(comments, [{ path: ['agents', 'a'], value: { provider: 'openai' } }])
    expect(parse(filled)).toEqual({ agents: { a: { provider: 'openai' } } })
    expect(filled).toContain('# The configuration of Convene.')
    expect(parse(editConfigText('', [{ path: ['agents', 'a'], value: { provider: 'openai' } }]))).toEqual({
      agents: { a: { provider: 'openai' } },
    })
  })

  it('does not touch what it cannot change: lists, aliases, broken files', () => {
    for (const text of ['- a\n', 'roles: [a]\n', 'x: &r {impl: a}\nroles: *r\n', 'a: [1\n'])
      expect(() => editConfigText(text, [{ path: ['roles', 'impl'], value: 'a' }])).toThrow('edit it by hand')
  })
})
