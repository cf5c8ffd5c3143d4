import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createPrompts } from '../../agents/prompts/prompts.ts'
import { promptSections } from './prompt-sections.ts'

const characters = (text: string) => text.length
const prompts = createPrompts(join(import.meta.dirname, 'no-such-folder'))

describe('the sections of a prompt', () => {
  it('[AS5] names the parts of a planning prompt', () => {
    const system = prompts.render('planner', {
      request: 'Count words.',
      facts: 'A Node project.',
      material: [{ title: 'Design', text: '## Approach\n\nOne function.' }],
      accumulated: 'D4-1: one function',
    })
    const task = prompts.render('plan-task', {
      role: 'tester',
      lens: 'looks for gaps',
      task: 'List the tests.',
      acceptance: ['short'],
      form: 'a vote',
      shape: '{"points": number}',
      others: [{ role: 'writer', text: 'I agree.' }],
    })
    const sections = promptSections(
      [
        { role: 'system', content: system },
        { role: 'user', content: task },
      ],
      characters,
    )
    expect(Object.keys(sections)).toEqual([
      'frame',
      'request',
      'facts',
      'material',
      'context',
      'task',
      'others',
      'criteria',
      'form',
    ])
    expect(sections.request).toBe('## Original request\nCount words.\n'.length)
  })

  it('[AS5] names the parts of a build prompt, and counts the conversation before it as one', () => {
    const spec = { id: 'inc', description: 'Adds one.', acceptanceCriteria: [], targetPath: 'a.js', testPath: 't.js' }
    const values = {
      spec,
      scaffold: { interfaceFile: 'a.js' },
      attempt: 1,
      attempts: 5,
      passed: [],
      plan: [],
      diff: '+1\n',
      commit: 'c',
    }
    const sectionsOf = (name: 'scaffold' | 'write-tests' | 'implement' | 'implement-alone' | 'review-impl') =>
      Object.keys(
        promptSections(
          [
            { role: 'system', content: 'You build.' },
            { role: 'user', content: 'earlier' },
            { role: 'assistant', content: 'done' },
            { role: 'user', content: prompts.render(name, values) },
          ],
          characters,
        ),
      )
    for (const name of ['scaffold', 'write-tests', 'implement', 'implement-alone'] as const)
      expect(sectionsOf(name)).toEqual(
        expect.arrayContaining(['frame', 'conversation', 'task', 'spec', 'form', 'again']),
      )
    expect(sectionsOf('review-impl')).toContain('diff')
  })

  it('[AS5] counts every character once', () => {
    const content = 'a\n## Original request\nb\n\n## Other\nc\n'
    const sum = Object.values(promptSections([{ role: 'system', content }], characters)).reduce((a, b) => a + b, 0)
    // One line break between two sections belongs to neither.
    expect(sum).toBe(content.length - 2)
  })
})
