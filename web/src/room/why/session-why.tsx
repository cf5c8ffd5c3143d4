/** Explains a collaboration: its turns, what went wrong, and why it ended. */
import { AgentName } from '../../ui/avatar.tsx'
import { Chip } from '../../ui/chip.tsx'
import { joinNames } from '../../ui/format.ts'
import { Section } from '../../ui/section.tsx'
import type { Message, SessionFacts } from '../conversation/conversation-types.ts'
import { endLabel } from '../conversation/decision-labels.ts'
import { plainText } from '../conversation/spoken-text.ts'

const endIds: Record<string, string> = {
  final: 'TN3',
  no_handoff: 'TN4',
  invalid_handoff: 'TN4',
  cap: 'TN6',
  malformed: 'TN2',
  canceled: 'TN8',
  agent_failed: 'TN11',
}

export function SessionWhy({ message, session }: { message: Message; session: SessionFacts }) {
  const { participants, speaker, round, max_rounds, end_reason, status } = session
  const turns = message.answers.filter((answer) => answer.item)
  return (
    <>
      <p className="rounded-lg bg-sunken px-2.5 py-2 text-small">
        {status === 'running' ? (
          <>
            <b className="font-semibold">
              Turn {round} of {max_rounds}.
            </b>{' '}
            Each reply names who is next; it ends when one says it is final, nobody is named, or all turns are taken.
          </>
        ) : (
          <>
            <b className="font-semibold">
              {endIds[end_reason ?? ''] ? `${endIds[end_reason ?? '']} · ` : ''}
              {end_reason?.replaceAll('_', ' ')}.
            </b>{' '}
            It ended after {round} of {max_rounds} turns: {endLabel[end_reason ?? ''] ?? end_reason}.
          </>
        )}
      </p>
      <Section title="Turns">
        <TurnTrack session={session} taken={turns.length} />
        <p className="mt-1.5 text-small text-ink-2">
          {joinNames(participants)}; {speaker} began.
        </p>
        <ul className="mt-2 space-y-1">
          {turns.map((turn) => (
            <li key={turn.ask} className="flex items-baseline gap-2 text-small">
              <span className="numbers w-5 text-ink-3">{turn.round}</span>
              <AgentName name={turn.agent} className="min-w-11 font-medium!" />
              <span className="truncate text-ink-2">{plainText(turn.item?.text ?? '')}</span>
              {turn.warning ? (
                <Chip tone="warn" className="text-tiny!" title={turn.warning}>
                  warning
                </Chip>
              ) : null}
            </li>
          ))}
        </ul>
      </Section>
    </>
  )
}

/** Turns taken of turns allowed. */
function TurnTrack({ session, taken }: { session: SessionFacts; taken: number }) {
  const { max_rounds, round, status } = session
  return (
    <div className="flex gap-[3px]" role="img" aria-label={`${taken} of ${max_rounds} turns taken`}>
      {Array.from({ length: Math.min(max_rounds, 50) }, (_, index) => {
        const running = status === 'running' && index === round - 1 && index >= taken
        const colour = index < taken ? 'bg-accent' : running ? 'bg-live pulse' : 'bg-line'
        // biome-ignore lint/suspicious/noArrayIndexKey: a turn is its number
        return <span key={index} className={`h-1.5 min-w-[3px] flex-1 rounded-full ${colour}`} />
      })}
    </div>
  )
}
