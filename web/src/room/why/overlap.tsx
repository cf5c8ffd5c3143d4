/** The two most confident proposals as circles: what each covers alone, and what both cover. */
import { agentColour } from '../../ui/agent-colour.ts'
import { AgentName } from '../../ui/avatar.tsx'
import { hundredths } from '../../ui/format.ts'
import { Section } from '../../ui/section.tsx'
import type { Decision } from '../conversation/conversation-types.ts'
import { centreDistance, topicsApart } from './circles.ts'
import { ranked } from './ladder.ts'

const radius = 44
const width = 304
const circleHeight = 2 * radius + 4
/** The common part must be this wide for the figure to stand in it. */
const figureWidth = 26
/** And this wide for the topics both would cover. */
const wordsWidth = 66

export function Overlap({ decision }: { decision: Decision }) {
  const [first, second] = ranked(decision)
  if (first === undefined || second === undefined || decision.overlap === null) return null
  const apart = centreDistance(decision.overlap) * radius
  const common = 2 * radius - apart
  const fits = common >= figureWidth
  const height = circleHeight + (fits ? 0 : 16)
  const topics = topicsApart(decision.proposals[first]!, decision.proposals[second]!)
  const share = hundredths(decision.overlap)
  const shared = common >= wordsWidth ? topics.both.slice(0, 3).map(short) : []
  const listed = topics.both.length > shared.length
  return (
    <Section title="Angles">
      <p className="mb-1.5 text-small text-ink-2">
        <AgentName name={first} /> and <AgentName name={second} />
        {Object.keys(decision.proposals).length > 2 ? ', the two most confident' : ''}
      </p>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        width="100%"
        role="img"
        aria-label={`${first} and ${second} overlap by ${share}`}
        data-testid="overlap"
      >
        <title>{`Overlap ${share}`}</title>
        <Circle x={(width - apart) / 2} name={first} />
        <Circle x={(width + apart) / 2} name={second} />
        <Words apart={apart} side={-1} words={topics.first} />
        <Words apart={apart} side={1} words={topics.second} />
        <text
          x={width / 2}
          y={fits ? circleHeight / 2 + 4 - (shared.length * 13) / 2 : height - 4}
          textAnchor="middle"
          className="numbers fill-ink text-[11px] font-semibold"
        >
          {fits ? share : `overlap ${share}`}
        </text>
        {shared.map((word, index) => (
          <text
            key={word}
            x={width / 2}
            y={circleHeight / 2 + 4 - (shared.length * 13) / 2 + (index + 1) * 13}
            textAnchor="middle"
            className="fill-ink-2 text-[10px]"
          >
            {word}
          </text>
        ))}
      </svg>
      {listed ? <p className="mt-1 text-center text-tiny text-ink-3">both: {topics.both.join(', ')}</p> : null}
    </Section>
  )
}

function Circle({ x, name }: { x: number; name: string }) {
  const colour = agentColour(name)
  return (
    <circle
      cx={x}
      cy={circleHeight / 2}
      r={radius}
      fill={colour}
      fillOpacity="0.13"
      stroke={colour}
      strokeOpacity="0.75"
    />
  )
}

/** Three at most, and short: the list below has them all. In the part that is a circle's alone; beside it where that is thin. */
function Words({ apart, side, words }: { apart: number; side: -1 | 1; words: string[] }) {
  const inside = apart >= radius
  const middle = inside ? Math.max(radius, apart / 2) : apart / 2 + radius + 6
  const anchor = inside ? 'middle' : side < 0 ? 'end' : 'start'
  const shown = words.slice(0, 3).map(short)
  const top = circleHeight / 2 + 4 - ((shown.length - 1) * 13) / 2
  return shown.map((word, index) => (
    <text
      key={word}
      x={width / 2 + side * middle}
      y={top + index * 13}
      textAnchor={anchor}
      className="fill-ink-2 text-[10px]"
    >
      {word}
    </text>
  ))
}

const short = (word: string) => (word.length > 14 ? `${word.slice(0, 13)}…` : word)
