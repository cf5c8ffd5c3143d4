/** The peers of a room: who is present, and how to start those who are not. */
import { shellWord } from '../../../../src/rules/text/shell-word.ts'
import type { Room } from '../../data/calls/rooms.ts'
import { AgentName } from '../../ui/avatar.tsx'
import { Dot } from '../../ui/chip.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import type { Presence } from './use-presence.ts'

export function PeerList({ room, presence }: { room: Room; presence: Presence }) {
  return (
    <ul data-testid="peers" className="space-y-1.5 text-small">
      {presence.map(({ agent, present }) => (
        <li key={agent} data-agent={agent} data-present={present}>
          <span className="flex items-center gap-2">
            <Dot tone={present ? 'ok' : 'plain'} />
            <AgentName name={agent} className="font-medium!" />
            <span className="ml-auto text-ink-3">{present ? 'present' : 'absent'}</span>
          </span>
          {present ? null : <Command text={`convene peer --name ${agent} --room ${shellWord(room.name)}`} />}
        </li>
      ))}
    </ul>
  )
}

function Command({ text }: { text: string }) {
  return (
    <span className="mt-0.5 flex items-center gap-1 pl-4">
      <code className="min-w-0 truncate text-tiny text-ink-2" title={text}>
        {text}
      </code>
      <CopyButton text={text} label={`Copy ${text}`} />
    </span>
  )
}
