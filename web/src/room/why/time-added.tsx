/** The time coordination added to the latest rounds, as bars coloured by mode. */
import { costWords, duration } from '../../ui/format.ts'
import { useRoomPage } from '../conversation/room-page-context.ts'
import { kindColours } from './mode-mix.tsx'
import type { RoundFigure } from './room-figures.ts'

const most = 40
const height = 64

export function TimeAdded({ rounds }: { rounds: RoundFigure[] }) {
  const { explain } = useRoomPage()
  const shown = rounds.slice(-most)
  if (shown.length === 0) return <p className="text-small text-ink-3">No message has been coordinated yet.</p>
  const top = Math.max(1, ...shown.map(({ milliseconds }) => milliseconds))
  const step = Math.min(14, 300 / shown.length)
  const sorted = shown.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b)
  return (
    <div data-testid="time-added">
      <svg
        viewBox={`0 0 300 ${height}`}
        width="100%"
        role="img"
        aria-label={`Time added by coordination in the last ${shown.length} rounds`}
      >
        <line x1="0" x2="300" y1={height - 0.5} y2={height - 0.5} stroke="var(--line)" />
        {shown.map(({ id, kind, milliseconds, usd }, index) => {
          const bar = Math.max(1.5, (milliseconds / top) * (height - 8))
          return (
            // biome-ignore lint/a11y/noStaticElementInteractions: the same message is reached by its row
            <rect
              key={id}
              x={index * step}
              y={height - bar}
              width={Math.max(1.5, step - 2)}
              height={bar}
              rx="1"
              fill={kindColours[kind]}
              className="cursor-pointer hover:opacity-70"
              onClick={() => explain(id)}
            >
              <title>{`${kind}: ${duration(milliseconds)}, ${costWords(usd)}`}</title>
            </rect>
          )
        })}
      </svg>
      <p className="flex justify-between text-tiny text-ink-3">
        <span>
          median <span className="numbers">{duration(sorted[Math.floor(sorted.length / 2)]!)}</span>
        </span>
        <span>
          highest <span className="numbers">{duration(top)}</span>
        </span>
      </p>
    </div>
  )
}
