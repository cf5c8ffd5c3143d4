import { describe, expect, it } from 'vitest'
import { hasAgentsFor, neededAgents } from './needed-agents.ts'

const project = {
  members: ['claude', 'gpt', 'gemini'],
  builders: ['gpt'],
  inRoom: (room: string) => (room === 'r' ? ['claude', 'gpt'] : undefined),
}
const needed = (workflow: string, input?: unknown) => neededAgents(workflow, input, project)

describe('the agents that a run needs', () => {
  it('[TM2] are those that a message names, or those of its room', () => {
    expect(needed('room.answer', { room: 'r', target: 'gpt' })).toEqual(['gpt'])
    expect(needed('room.session', { room: 'r', participants: ['claude'] })).toEqual(['claude'])
    expect(needed('room.agent-message', { room: 'r', message: { to: 'claude' } })).toEqual(['claude'])
    expect(needed('room.answer', { room: 'r' })).toEqual(['claude', 'gpt'])
    expect(needed('room.answer', { room: 'unknown here' })).toEqual(project.members)
  })

  it('[TM2] are those with a role in a build, and all for a plan or an issue loop', () => {
    expect(needed('build.node', {})).toEqual(['gpt'])
    expect(needed('plan', {})).toEqual(project.members)
    expect(needed('feature.run', {})).toEqual(project.members)
  })

  it('[TM2] must all be on offer', () => {
    expect(hasAgentsFor(['claude', 'gpt'], ['gpt', 'claude', 'gemini'])).toBe(true)
    expect(hasAgentsFor(['claude', 'gpt'], ['gpt'])).toBe(false)
    expect(hasAgentsFor(needed('plan'), [])).toBe(true)
  })
})
