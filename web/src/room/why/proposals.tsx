/** Each agent's proposal: its angle, its topics and its flags. */
import { AgentName } from '../../ui/avatar.tsx'
import { Chip } from '../../ui/chip.tsx'
import type { Decision } from '../conversation/conversation-types.ts'
import { ranked } from './ladder.ts'

export function Proposals({ decision }: { decision: Decision }) {
  return (
    <ul className="space-y-2.5">
      {ranked(decision).map((name) => {
        const proposal = decision.proposals[name]!
        return (
          <li key={name} data-testid="proposal" data-agent={name} className="text-small">
            <AgentName name={name} className="mr-1.5 font-medium!" />
            <span className="wrap-anywhere">{proposal.angle || 'no angle given'}</span>
            <span className="mt-1 flex flex-wrap gap-1">
              {[...new Set(proposal.covers)].map((topic) => (
                <Chip key={topic} className="max-w-full truncate text-tiny!">
                  {topic}
                </Chip>
              ))}
              {proposal.builds_on_other ? (
                <Chip tone="live" className="text-tiny!">
                  would build on another
                </Chip>
              ) : null}
              {proposal.solo_sufficient ? <Chip className="text-tiny!">sufficient alone</Chip> : null}
              {proposal.malformed ? (
                <Chip tone="warn" className="text-tiny!" title="The reply was not valid JSON; this is a fallback.">
                  could not be read
                </Chip>
              ) : null}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
