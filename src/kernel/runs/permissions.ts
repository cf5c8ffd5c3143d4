/** What a coding agent asks leave for in the middle of an ask: recorded, decided by policy or left to a person. */
import type { PermissionRequest } from '../agent.ts'
import { permissionRequested, permissionResolved } from '../ask/ask-events.ts'
import type { EventHeader } from '../events.ts'
import type { Store } from '../store.ts'

export interface PermissionDesk {
  store: Store
  header: EventHeader
  ask: string
  agent: string
  node?: string
}

/** Records a request and its decision. What the policy leaves to a person is refused. */
export function permissionsOf({ store, header, ask, agent, node }: PermissionDesk) {
  let count = 0
  return async (request: PermissionRequest, judged: 'allow' | 'deny' | 'ask'): Promise<'allow' | 'deny'> => {
    const id = `${ask}:${++count}`
    const asked = { id, agent, ask, ...(node === undefined ? {} : { node }), ...request }
    const decision = judged === 'ask' ? 'deny' : judged
    await store.append([
      permissionRequested.create(header, asked),
      permissionResolved.create(header, { id, agent, ask, decision, by: 'policy' }),
    ])
    return decision
  }
}
