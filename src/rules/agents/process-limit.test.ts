import { describe, expect, it } from 'vitest'
import { agentsAtOnce, hasRoom } from './process-limit.ts'

describe('how many coding agents run at once', () => {
  it('[AG4] half of the memory bounds them', () => {
    expect(hasRoom({ usedMb: 3500, neededMb: 500, machineMb: 8000 })).toBe(true)
    expect(hasRoom({ usedMb: 3501, neededMb: 500, machineMb: 8000 })).toBe(false)
  })

  it('[AG4] a build asks no more coding agents at once than the memory holds', () => {
    const wanted = 10
    expect(agentsAtOnce({ wanted, machineMb: 16_000, agentMb: 450 })).toBe(10)
    expect(agentsAtOnce({ wanted, machineMb: 8000, agentMb: 450 })).toBe(8)
    expect(agentsAtOnce({ wanted, machineMb: 500, agentMb: 450 })).toBe(1)
    expect(agentsAtOnce({ wanted, machineMb: 500, agentMb: null })).toBe(10)
  })

  it('[AG4] one may always run', () => {
    expect(hasRoom({ usedMb: 0, neededMb: 500, machineMb: 100 })).toBe(true)
    expect(hasRoom({ usedMb: 500, neededMb: 500, machineMb: 100 })).toBe(false)
  })
})
