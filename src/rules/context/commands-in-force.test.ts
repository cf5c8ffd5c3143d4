import { describe, expect, it } from 'vitest'
import { commandsChanged, knownNow, underSystem } from './commands-in-force.ts'

describe('[GR9] the commands in force', () => {
  const failing = [{ command: 'eslint .', exitCode: 1, said: [], more: 0 }]
  const began = { commands: { build: 'tsc', test: 'vitest run' }, failing, knowledge: 'A library.' }

  it('[GR9] stay as they were while nobody changes them, with what fails under them', () => {
    expect(knownNow(began, { build: 'tsc', test: 'vitest run' })).toEqual(began)
  })

  it('[GR9] replace those of the beginning, with what failed under those', () => {
    const now = { commands: { test: 'npm test' }, failing: [], knowledge: 'A library.' }
    expect(knownNow(began, { test: 'npm test' })).toEqual(now)
  })

  const spec = { role: 'user', content: 'Build it.' }
  const reply = { role: 'assistant', content: 'Built.' }
  const old = { role: 'system', content: 'tests: `vitest run`' }
  const system = { role: 'system', content: 'tests: `npm test`' }

  it('[GR9] stand in the first message of every conversation', () => {
    expect(underSystem([], system.content)).toEqual({ messages: [system], isOutdated: false })
    expect(underSystem([spec, reply], system.content)).toEqual({ messages: [system, spec, reply], isOutdated: false })
    expect(underSystem([old, spec], system.content)).toEqual({ messages: [system, spec], isOutdated: false })
  })

  it('[GR9] are said again to an agent that has replied under others, once', () => {
    const { messages, isOutdated } = underSystem([old, spec, reply], system.content)
    expect({ messages, isOutdated }).toEqual({ messages: [system, spec, reply], isOutdated: true })
    expect(underSystem(messages, system.content).isOutdated).toBe(false)
    expect(commandsChanged({ build: 'tsc', test: 'npm test' })).toContain('- build: `tsc`\n- tests: `npm test`')
  })
})
