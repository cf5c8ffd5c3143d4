/** Routes an exit by the `graph` rule and records the decision. GR1, GR4. */
import type { Exit } from '../../rules/build/exits.ts'
import { type GraphDecision, nextStep } from '../../rules/build/graph.ts'
import type { GraphPlace } from '../../rules/build/graph-table.ts'
import { routingEnvelope } from '../../rules/build/routing-envelope.ts'
import { exitRouted } from '../events.ts'
import { eventHeader, type Node, subjectOf } from '../node.ts'

export async function routeExit(
  node: Node,
  place: GraphPlace,
  exit: Exit,
  { hasChildren = false, attempt }: { hasChildren?: boolean; attempt?: number } = {},
): Promise<GraphDecision> {
  const { run, deps } = node
  node.state.dropGuidance()
  node.state.countExit(place, exit.name)
  const [name, mode] = place.split(':') as [
    Parameters<typeof nextStep>[0]['node'],
    'write-tests' | 'review' | undefined,
  ]
  const decision = nextStep(
    {
      node: name,
      mode,
      exit: exit.name,
      children: hasChildren,
      counts: node.state.counts,
      ...(attempt ? { attempt } : {}),
    },
    node.caps,
  )
  await run.step('route', async (step) => {
    const payloadRef = await deps.store.putPayload(JSON.stringify({ [exit.name]: exit.payload }))
    const to = decision.next.map((target) => (target.mode ? `${target.node}:${target.mode}` : target.node))
    step.emit(
      exitRouted.create(
        { ...eventHeader(node), payload_ref: payloadRef },
        {
          ...subjectOf(node),
          from: place,
          exit: decision.exit,
          to,
          action: decision.action,
          ...(decision.capped ? { capped: decision.capped } : {}),
          envelope: routingEnvelope(decision, payloadRef),
        },
      ),
    )
  })
  return decision
}
