/** How far a node is, as five segments; the last exit animates along them. */
import type { NodeCard } from '../view/node-card.ts'
import type { Progress, SegmentState, StepName } from '../view/node-progress.ts'

interface RailViewProps {
  card: Pick<NodeCard, 'progress' | 'state'>
  /** Exits up to this event happened before the page was opened. */
  since: number
}

export function ProgressBar({ card: { progress, state: nodeState }, since }: RailViewProps) {
  const { segments, travel } = progress
  const moved = travel !== null && travel.seq > since ? travel : null
  const at = segments.find(({ state }) => state === 'here' || state === 'failed')
  return (
    <span className="block" data-rail={segments.map(({ state }) => state).join(' ')}>
      <span aria-hidden="true" className="flex gap-[3px]">
        {segments.map(({ place, state }) => {
          const motion = motionOf(place, moved) || (isBusy(state, nodeState) ? 'pulse' : '')
          return (
            <span
              key={motionOf(place, moved) ? `${place} ${moved?.seq}` : place}
              className={`h-[5px] flex-1 rounded-full ${pieceTone(state, nodeState)} ${motion}`}
            />
          )
        })}
      </span>
      <span aria-hidden="true" className="mt-0.5 flex gap-[3px] text-[10px] leading-[13px] text-ink-3">
        {segments.map(({ place, state }) => (
          <span key={place} className={`flex-1 text-center ${nameTone(state, nodeState)}`}>
            {place}
          </span>
        ))}
      </span>
      <span className="sr-only">{at ? `at ${at.place}` : ''}</span>
    </span>
  )
}

export function pieceTone(state: SegmentState, node: NodeCard['state']): string {
  if (state === 'here' && node === 'question') return 'bg-warn'
  if (state === 'here' && !isBusy(state, node)) return 'bg-line-strong'
  return pieces[state]
}

const pieces: Record<SegmentState, string> = { todo: 'bg-line', done: 'bg-ok', here: 'bg-live', failed: 'bg-bad' }

function nameTone(state: SegmentState, node: NodeCard['state']): string {
  if (state === 'failed') return 'font-medium text-bad'
  if (state !== 'here') return ''
  if (node === 'question') return 'font-medium text-warn'
  return isBusy(state, node) ? 'font-medium text-live' : ''
}

const isBusy = (state: SegmentState, node: NodeCard['state']) =>
  state === 'here' && (node === 'working' || node === 'checking')

function motionOf(place: StepName, moved: Progress['travel']): string {
  if (moved?.from === place) return 'exit-leaves'
  return moved?.to === place ? 'exit-arrives' : ''
}
