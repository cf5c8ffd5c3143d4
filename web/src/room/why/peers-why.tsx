/** Explains what the peers of a room did: who wrote the decision, why not all took part, and who claimed which part. */
import { AgentName } from '../../ui/avatar.tsx'
import { Chip } from '../../ui/chip.tsx'
import { joinNames } from '../../ui/format.ts'
import { Section } from '../../ui/section.tsx'
import type { Message } from '../conversation/conversation-types.ts'
import { flagLabel, flagReason, type PeerClaim, type PeerFacts } from '../peers/peer-facts.ts'

export function PeersWhy({ message: { peers, decision } }: { message: Message }) {
  if (!peers) return null
  const flags = [...new Set([...(decision?.flags ?? []), ...peers.claims.flatMap((claim) => claim.flags)])]
  return (
    <Section title="Among peers">
      <div data-testid="peers-why" className="space-y-1.5 text-small">
        {peers.decidedBy ? <Decided peers={peers} by={peers.decidedBy} /> : null}
        {flags.map((flag) => (
          <p key={flag} data-flag={flag}>
            <Chip tone="warn" className="mr-1.5 text-tiny!">
              {flagLabel[flag]}
            </Chip>
            {flagReason[flag]}
          </p>
        ))}
        {peers.stalled ? <p>No peer that was present could answer, so the room waited for the absent ones.</p> : null}
        <ol className="space-y-1">
          {peers.claims.map((claim) => (
            <Claim key={`${claim.part}:${claim.epoch}`} claim={claim} latest={isLatest(peers, claim)} />
          ))}
        </ol>
      </div>
    </Section>
  )
}

function Decided({ peers: { disputes }, by }: { peers: PeerFacts; by: string }) {
  return (
    <>
      <p>
        <AgentName name={by} className="font-medium!" /> recorded the decision first.
      </p>
      {disputes.map(({ agent, mode, responders }) => (
        <p key={agent} className="text-warn">
          {agent} decided differently ({mode}: {joinNames(responders)}). The recorded decision counts.
        </p>
      ))}
    </>
  )
}

function Claim({ claim: { part, agent, epoch, flags, end, why }, latest }: { claim: PeerClaim; latest: boolean }) {
  const ended = end ?? (latest ? 'at work' : 'replaced')
  return (
    <li className="flex flex-wrap items-baseline gap-x-2">
      <span className="text-ink-3">part {part}</span>
      <AgentName name={agent} className="font-medium!" />
      <span className="text-ink-3">
        {[epoch > 1 ? `claim ${epoch}` : '', ...flags.map((flag) => flagLabel[flag])].filter(Boolean).join(', ')}
      </span>
      <span className={`ml-auto ${end === 'failed' ? 'text-warn' : 'text-ink-2'}`} title={why}>
        {ended}
      </span>
    </li>
  )
}

function isLatest({ claims }: PeerFacts, { part, epoch }: PeerClaim): boolean {
  return !claims.some((other) => other.part === part && other.epoch > epoch)
}
