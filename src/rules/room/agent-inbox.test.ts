import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AgentInbox, admitToInbox, emptyInbox, finishInInbox, releaseInbox } from './agent-inbox.ts'

const quiet = { roundOpen: false }
const during = { roundOpen: true }

describe('an inbox', () => {
  it('[AM3] queues messages that arrive during a round and delivers them after it', () => {
    const kept = admitToInbox(emptyInbox, 'm1', during)
    expect(kept).toEqual({ kind: 'queue', because: 'round', inbox: { inFlight: [], queued: ['m1'] } })
    expect(releaseInbox(kept.inbox, during)).toEqual({ deliver: [], inbox: kept.inbox })
    expect(releaseInbox(kept.inbox, quiet)).toEqual({ deliver: ['m1'], inbox: { inFlight: ['m1'], queued: [] } })
  })

  it('[AM4] has two in flight; more wait in the queue', () => {
    const busy: AgentInbox = { inFlight: ['m1', 'm2'], queued: [] }
    const third = admitToInbox(busy, 'm3', quiet)
    expect(third).toMatchObject({ kind: 'queue', because: 'busy' })
    expect(releaseInbox(finishInInbox(third.inbox, 'm1'), quiet)).toEqual({
      deliver: ['m3'],
      inbox: { inFlight: ['m2', 'm3'], queued: [] },
    })
  })

  it('[AM4] lets no new message overtake the queue', () => {
    expect(admitToInbox({ inFlight: [], queued: ['m1'] }, 'm2', quiet)).toMatchObject({
      kind: 'queue',
      inbox: { queued: ['m1', 'm2'] },
    })
  })

  it('[AM4] refuses a message when the queue is full', () => {
    const full: AgentInbox = { inFlight: ['a', 'b'], queued: Array.from({ length: 20 }, (_, at) => `q${at}`) }
    expect(admitToInbox(full, 'late', quiet)).toEqual({ kind: 'refuse', because: 'full', inbox: full })
    expect(admitToInbox({ ...full, queued: full.queued.slice(1) }, 'late', quiet).kind).toBe('queue')
  })

  it('[AM4] adds a message once, however often it is delivered', () => {
    const inbox: AgentInbox = { inFlight: ['m1', 'm2'], queued: ['m3'] }
    expect(admitToInbox(inbox, 'm1', quiet)).toEqual({ kind: 'deliver', inbox })
    expect(admitToInbox(inbox, 'm3', quiet)).toEqual({ kind: 'queue', because: 'busy', inbox })
  })

  it('[AM4] loses nothing and keeps the order, whatever happens when', () => {
    const step = fc.constantFrom('arrive', 'finish', 'open', 'close')
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const limits = { in_flight: 2, queued: 3 }
        const delivered: string[] = []
        const admitted: string[] = []
        let inbox = emptyInbox
        let roundOpen = false
        steps.forEach((what, at) => {
          if (what === 'arrive') {
            const ruling = admitToInbox(inbox, `m${at}`, { roundOpen }, limits)
            inbox = ruling.inbox
            if (ruling.kind !== 'refuse') admitted.push(`m${at}`)
            if (ruling.kind === 'deliver') delivered.push(`m${at}`)
          }
          if (what === 'finish' && inbox.inFlight[0] !== undefined) inbox = finishInInbox(inbox, inbox.inFlight[0])
          if (what === 'open' || what === 'close') roundOpen = what === 'open'
          const released = releaseInbox(inbox, { roundOpen }, limits)
          inbox = released.inbox
          delivered.push(...released.deliver)
          expect(inbox.inFlight.length).toBeLessThanOrEqual(2)
          expect(inbox.queued.length).toBeLessThanOrEqual(3)
        })
        expect([...delivered, ...inbox.queued]).toEqual(admitted)
      }),
    )
  })
})
