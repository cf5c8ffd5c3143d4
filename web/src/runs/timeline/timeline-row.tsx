/** One row of the timeline: a run, or one of its lanes. */
import type { CSSProperties } from 'react'
import { Link } from 'wouter'
import { laneNames } from '../../../../src/runs/overview.ts'
import type { SpanKind } from '../../../../src/runs/overview-lanes.ts'
import { runAddress } from '../../data/addresses/run.ts'
import { agentColour } from '../../ui/agent-colour.ts'
import { Dot } from '../../ui/chip.tsx'
import { count, duration } from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'
import { kindLabel, shortRun, statusLabel } from '../view/labels.ts'
import type { TimeSpan } from '../view/time-window.ts'
import { type Bar, barsOf, type TimelineRow, trackHeight } from './timeline-rows.ts'

interface RowProps {
  row: TimelineRow
  /** The run whose page this is. */
  run: string
  window: TimeSpan
  width: number
  /** How wide the column of names is; none: they stand above the bars. */
  labels: number
  now: number
  chosen: number | undefined
  onChoose(bar: Bar): void
  onFold(): void
}

export function TimelineRowView(props: RowProps) {
  const { row, labels } = props
  return (
    <div
      data-testid="timeline-row"
      data-row={row.kind === 'run' ? 'run' : row.lane.kind}
      data-run={row.kind === 'run' ? row.line.id : row.lane.run}
      className={`${labels > 0 ? 'flex' : ''} ${row.kind === 'run' ? 'border-t border-line' : ''}`}
    >
      <div
        className={labels > 0 ? 'flex shrink-0 items-center pr-3' : 'flex h-[18px] items-center'}
        style={{
          paddingLeft: Math.min(4, row.depth) * 12,
          ...(labels > 0 ? { width: labels, height: row.height } : {}),
        }}
      >
        <RowName {...props} />
      </div>
      <div className="relative min-w-0 flex-1 overflow-hidden" style={{ height: row.height }}>
        {row.kind === 'run' ? <RunBar {...props} row={row} /> : <LaneBars {...props} row={row} />}
      </div>
    </div>
  )
}

function RowName({ row, run, onFold }: RowProps) {
  if (row.kind === 'lane') {
    const name = row.lane.agent ?? laneNames[row.lane.kind]
    return (
      <span
        className="min-w-0 truncate pl-5 text-small"
        style={{ color: row.lane.agent ? agentColour(row.lane.agent) : 'var(--ink-2)' }}
        title={name}
      >
        {name}
      </span>
    )
  }
  const { line, open, folds } = row
  const { word, tone } = statusLabel(line.status)
  const title = line.title || shortRun(line.id)
  return (
    <>
      {folds ? (
        <button
          type="button"
          aria-expanded={open}
          aria-label={`${title}: its lanes`}
          onClick={onFold}
          className="-ml-1 grid size-5 shrink-0 place-items-center rounded text-ink-3 hover:bg-hover hover:text-ink"
        >
          <span className={open ? '' : '-rotate-90'}>
            <Icon name="chevron" size={13} />
          </span>
        </button>
      ) : (
        <span className="w-4" />
      )}
      <Dot tone={tone} />
      <span className="sr-only">({word})</span>
      <span className="ml-1.5 min-w-0 truncate text-small" title={`${kindLabel(line.kind)}: ${title}`}>
        {line.id === run ? (
          <b className="font-semibold">{title}</b>
        ) : (
          <Link href={runAddress(line.id)} className="font-medium hover:underline">
            {title}
          </Link>
        )}
        {line.title.toLowerCase() === kindLabel(line.kind) ? null : (
          <span className="text-ink-3"> {kindLabel(line.kind)}</span>
        )}
      </span>
    </>
  )
}

const lengthTones = { live: 'bg-live', ok: 'bg-ok', bad: 'bg-bad', warn: 'bg-warn', plain: 'bg-line-strong' }

/** How long a run took; while it is closed, with everything that went on in it. */
function RunBar({ row, window, width, now, chosen, onChoose }: RowProps & { row: TimelineRow & { kind: 'run' } }) {
  const { line } = row
  const { tone, word } = statusLabel(line.status)
  const scale = width / Math.max(1, window.to - window.from)
  const left = Math.max(0, (line.from - window.from) * scale)
  const right = Math.min(width, ((line.to ?? now) - window.from) * scale)
  return (
    <>
      {right > 0 && left < width ? (
        <span
          className={`absolute bottom-1 h-[3px] rounded-full opacity-70 ${lengthTones[tone]}`}
          style={{ left, width: Math.max(2, right - left) }}
          title={`${word}, ${duration((line.to ?? now) - line.from)}`}
        />
      ) : null}
      {barsOf(row.within, window, width, now, true).map((bar) => (
        <BarView
          key={bar.seq}
          bar={{ ...bar, words: bar.words || 'asks, commands, commits', tone: 'plain' }}
          kind="ask"
          top={4}
          height={15}
          edge={width}
          colour="var(--ink-3)"
          chosen={chosen}
          onChoose={onChoose}
        />
      ))}
    </>
  )
}

function LaneBars({ row, window, width, now, chosen, onChoose }: RowProps & { row: TimelineRow & { kind: 'lane' } }) {
  const { lane, tracks } = row
  return tracks.map((track, index) =>
    barsOf(track, window, width, now).map((bar) => (
      <BarView
        key={`${track[0]!.seq} ${bar.seq}`}
        bar={bar}
        kind={lane.kind}
        top={3 + index * trackHeight}
        height={trackHeight - 3}
        edge={width}
        colour={lane.agent ? agentColour(lane.agent) : 'var(--accent)'}
        chosen={chosen}
        onChoose={onChoose}
      />
    )),
  )
}

interface BarViewProps {
  bar: Bar
  kind: SpanKind
  top: number
  height: number
  /** Where the lane ends. */
  edge: number
  colour: string
  chosen: number | undefined
  onChoose(bar: Bar): void
}

/** Below this, words inside a bar can not be read. */
const roomForText = 44

function BarView({ bar, kind, top, height, edge, colour, chosen, onChoose }: BarViewProps) {
  const words = bar.words || laneNames[kind]
  const label = `${bar.count > 1 ? `${count(bar.count)} × ` : ''}${words}, ${duration(bar.time.to - bar.time.from)}${endLabel(bar)}`
  const isPoint = (kind === 'change' || kind === 'issue') && bar.width < 10
  return (
    <button
      type="button"
      aria-label={label}
      aria-pressed={bar.seq === chosen}
      title={label}
      data-testid="bar"
      data-kind={kind}
      data-tone={bar.tone}
      onClick={() => onChoose(bar)}
      className={`absolute overflow-hidden rounded-[3px] text-left outline-offset-1 hover:brightness-110 aria-pressed:outline-2 aria-pressed:outline-ink ${bar.goesOn ? 'pulse' : ''} ${isPoint ? 'rotate-45' : ''}`}
      style={
        isPoint
          ? {
              left: Math.min(bar.left, edge - 10),
              top: top + 3,
              width: 8,
              height: 8,
              background: pointColours[bar.tone],
            }
          : { left: bar.left, width: bar.width, top, height, ...looks(kind, bar.tone, colour) }
      }
    >
      {bar.width > roomForText && !isPoint ? (
        <span className="block truncate px-1.5 text-[10.5px] leading-[15px]">
          {bar.count > 1 ? `${count(bar.count)} × ${words}` : words}
        </span>
      ) : null}
    </button>
  )
}

const endLabel = ({ tone, goesOn }: Bar) => (goesOn ? ', running' : tone === 'bad' ? ', failed' : '')

const pointColours = { plain: 'var(--ink-3)', ok: 'var(--ok)', warn: 'var(--warn)', bad: 'var(--bad)' }

const soft = (tone: 'ok' | 'warn' | 'bad'): CSSProperties => ({
  background: `var(--${tone}-soft)`,
  boxShadow: `inset 0 0 0 1px var(--${tone})`,
  color: `var(--${tone})`,
})

/** Agents have their colours; what Convene did itself, and what waits, is drawn in the colour of its outcome. */
function looks(kind: SpanKind, tone: Bar['tone'], colour: string): CSSProperties {
  if (kind === 'question') return soft('warn')
  if (kind === 'phase') return { background: 'var(--accent-soft)', color: 'var(--accent)' }
  if (kind === 'ask') {
    if (tone === 'bad') return { background: 'var(--bad)', color: 'var(--panel)' }
    const refused = tone === 'warn' ? { boxShadow: 'inset 0 -3px 0 var(--warn)' } : {}
    return { background: colour, color: 'var(--on-agent)', ...refused }
  }
  if (tone === 'plain')
    return { background: 'var(--sunken)', boxShadow: 'inset 0 0 0 1px var(--line-strong)', color: 'var(--ink-2)' }
  return soft(tone)
}
