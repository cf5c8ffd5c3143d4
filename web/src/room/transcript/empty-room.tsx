/** An empty room: the three modes, each with an example to try. */
import type { ReactNode } from 'react'
import type { Room } from '../../data/calls/rooms.ts'
import { writeInComposer } from '../composer/composer-handle.ts'
import { type Composition, collaborateLabel } from '../composer/composition.ts'

interface EmptyRoomProps {
  room: Room
  change(part: Partial<Composition>): void
  /** What comes before the three ways. */
  children?: ReactNode
}

export function EmptyRoom({ room, change, children }: EmptyRoomProps) {
  const ways = [
    {
      mode: 'coordinate' as const,
      title: 'Coordinate',
      does: 'Every agent proposes what it would say; a rule decides whether one answers, several do, or one builds on another.',
      example: 'Which queue should we use for a few hundred jobs a minute?',
    },
    {
      mode: 'collaborate' as const,
      title: collaborateLabel(room.agents),
      does: 'They take turns and hand over, up to as many turns as you allow. Stop is always one key away.',
      example: 'Work out a retry policy for failed payments together. Keep it to one page.',
    },
    {
      mode: 'single' as const,
      title: 'Single call',
      does: 'One agent you choose answers, without any coordination.',
      example: 'Explain idempotency keys in two sentences.',
    },
  ].filter(({ mode }) => room.agents.length > 1 || mode === 'single')
  return (
    <div className="min-h-0 flex-1 overflow-auto p-5">
      <div className="mx-auto max-w-[620px] pt-[6vh]">
        {children}
        <h2 className="text-large font-semibold">Three ways to get an answer</h2>
        <p className="mt-1 mb-4 text-ink-2">Choose a mode below the message box, or try one of these.</p>
        <ul className="space-y-2.5">
          {ways.map(({ mode, title, does, example }) => (
            <li key={mode}>
              <button
                type="button"
                onClick={() => {
                  change({ mode })
                  writeInComposer(example)
                }}
                className="w-full rounded-[10px] border border-line bg-panel px-4 py-3 text-left hover:border-line-strong"
              >
                <span className="block font-semibold">{title}</span>
                <span className="block text-small text-ink-2">{does}</span>
                <span className="mt-1.5 block text-small text-accent">“{example}”</span>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}
