/** The room as a whole: how its messages were answered, and what coordination cost. */
import { CostNote } from '../../ui/cost-note.tsx'
import { Section } from '../../ui/section.tsx'
import { useRoomPage } from '../conversation/room-page-context.ts'
import { PeerList } from '../peers/peer-list.tsx'
import type { Cost } from './cost.ts'
import { CostCells } from './cost-table.tsx'
import { ModeMix } from './mode-mix.tsx'
import { type RoomFigures, roomFigures } from './room-figures.ts'
import { TimeAdded } from './time-added.tsx'

export function RoomOverview() {
  const { room, presence, conversation } = useRoomPage()
  const figures = roomFigures(conversation.messages.values())
  return (
    <div data-testid="room-overview" className="p-4">
      {presence ? (
        <div className="mb-4.5">
          <h2 className="mb-2 text-[13px] font-semibold">Peers</h2>
          <PeerList room={room} presence={presence} />
        </div>
      ) : null}
      {figures.messages === 0 ? (
        <p className="text-small text-ink-2">
          After the first message, this shows how the room answers (alone, together or in turns) and what coordination
          costs in time and money.
        </p>
      ) : (
        <Figures figures={figures} />
      )}
    </div>
  )
}

function Figures({ figures }: { figures: RoomFigures }) {
  return (
    <>
      <h2 className="text-[13px] font-semibold">How this room answers</h2>
      <Section title="Mode mix">
        <ModeMix figures={figures} />
      </Section>
      <Section title="Time added by coordination">
        <TimeAdded rounds={figures.rounds} />
      </Section>
      <Section title="Spent">
        <Spent figures={figures} />
      </Section>
    </>
  )
}

function Spent({ figures: { coordination, answers } }: { figures: RoomFigures }) {
  const rows = [
    { name: 'coordination', cost: coordination, colour: 'var(--accent)' },
    { name: 'answers', cost: answers, colour: 'var(--line-strong)' },
  ]
  const priced = coordination.usd !== null && answers.usd !== null
  const isPriced = priced && coordination.usd! + answers.usd! > 0
  const measure = ({ usd, tokens }: Cost) => (isPriced ? usd! : tokens)
  const total = measure(coordination) + measure(answers) || 1
  return (
    <>
      <div
        className="flex h-2 overflow-hidden rounded-full bg-sunken"
        role="img"
        aria-label={`${isPriced ? 'Money' : 'Tokens'}: coordination and answers`}
      >
        {rows.map(({ name, cost, colour }) => (
          <span key={name} style={{ width: `${(measure(cost) / total) * 100}%`, background: colour }} />
        ))}
      </div>
      <p className="mt-1 text-tiny text-ink-3">
        coordination: {Math.round((measure(coordination) / total) * 100)}% of {isPriced ? 'the money' : 'the tokens'}
      </p>
      <table className="mt-2 w-full text-small">
        <tbody>
          {rows.map(({ name, cost, colour }) => (
            <tr key={name}>
              <th scope="row" className="py-0.5 text-left font-normal text-ink-2">
                <span className="mr-1.5 inline-block size-2 rounded-xs" style={{ background: colour }} />
                {name}
              </th>
              <CostCells cost={cost} priced={priced} />
            </tr>
          ))}
        </tbody>
      </table>
      <CostNote costs={[coordination, answers]} />
    </>
  )
}
