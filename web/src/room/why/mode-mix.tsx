/** How a room's messages were answered, as one bar. */
import { plural } from '../../ui/format.ts'
import { answerKinds, type RoomFigures } from './room-figures.ts'

export const kindColours: Record<(typeof answerKinds)[number], string> = {
  single: 'var(--line-strong)',
  solo: 'var(--live)',
  parallel: 'var(--ok)',
  synthesis: 'var(--accent)',
  collaborate: 'var(--warn)',
}

export function ModeMix({ figures: { mix } }: { figures: RoomFigures }) {
  const shown = answerKinds.filter((kind) => mix[kind] > 0)
  const total = shown.reduce((sum, kind) => sum + mix[kind], 0)
  let at = 0
  return (
    <div data-testid="mode-mix">
      <svg viewBox="0 0 300 12" width="100%" height="12" preserveAspectRatio="none" role="img" aria-label="Mode mix">
        <title>{shown.map((kind) => `${kind} ${mix[kind]}`).join(', ')}</title>
        {shown.map((kind) => {
          const x = at
          const width = (mix[kind] / total) * 300
          at += width
          return <rect key={kind} x={x} y="0" width={Math.max(0, width - 1)} height="12" fill={kindColours[kind]} />
        })}
      </svg>
      <ul className="mt-2 grid grid-cols-2 gap-x-3 gap-y-0.5 text-small">
        {shown.map((kind) => (
          <li key={kind} className="flex items-center gap-1.5">
            <span className="size-2 rounded-xs" style={{ background: kindColours[kind] }} />
            <span className="text-ink-2">{kind}</span>
            <span className="numbers ml-auto">{Math.round((mix[kind] / total) * 100)}%</span>
          </li>
        ))}
      </ul>
      <p className="mt-1 text-tiny text-ink-3">{plural(total, 'message')}</p>
    </div>
  )
}
