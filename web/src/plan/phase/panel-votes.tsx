/** A panel's votes: points, dissent, and who did not vote. */
import type { PhaseView } from '../../../../src/plan/view.ts'
import { rubricLevel } from '../../../../src/rules/plan/phase.ts'
import { type PhaseId, phaseById } from '../../../../src/rules/plan/phase-table.ts'
import { agentColour } from '../../ui/agent-colour.ts'
import { Chip } from '../../ui/chip.tsx'
import { absenteesOf, attendanceLabel } from '../view/attendance.ts'
import { levelTones, percent, phaseTitle } from '../view/labels.ts'
import { Card } from './card.tsx'

type Vote = PhaseView['votes'][number]

/** Whether a phase is one that a panel scores. */
export const isPanel = (id: PhaseId) => phaseById(id).panel.length > 0

export function PanelVotes({ phase, wide }: { phase: PhaseView; wide?: boolean }) {
  const { votes, tally } = phase
  const absent = absenteesOf(phase)
  if (!isPanel(phase.id) || phase.pass === 0) return null
  const members = [...new Set([...phase.cast, ...votes.map(({ member }) => member)])]
  const whole = tally ? tally.answered === tally.members : absent.length === 0
  return (
    <Card
      title={`Panel, ${phaseTitle(phase.id).toLowerCase()}`}
      testId="panel"
      {...(wide === undefined ? {} : { wide })}
      more={
        <>
          {tally ? (
            <Chip tone={tally.level ? levelTones[tally.level] : 'warn'}>
              {tally.level ? `${tally.level} ${percent(tally.points, tally.outOf)}` : 'no score'}
            </Chip>
          ) : null}
          {tally ? (
            <Chip tone={whole ? 'plain' : 'warn'}>
              {whole ? '' : 'degraded: '}
              {attendanceLabel({ answered: tally.answered, expected: tally.members })}
            </Chip>
          ) : null}
        </>
      }
    >
      <ul className="space-y-2.5">
        {members.map((member) => (
          <Member
            key={member}
            member={member}
            votes={votes.filter((vote) => vote.member === member)}
            absence={absent.findLast(({ role }) => role === member)}
          />
        ))}
      </ul>
      {tally && tally.next !== 'proceed' ? (
        <p className="mt-2.5 text-small text-bad">
          {tally.next === 'return' ? 'The plan is sent back.' : 'You decide how the plan continues.'}
        </p>
      ) : null}
    </Card>
  )
}

interface MemberProps {
  member: string
  votes: readonly Vote[]
  absence: ReturnType<typeof absenteesOf>[number] | undefined
}

function Member({ member, votes, absence }: MemberProps) {
  const last = votes.at(-1)
  const before = votes.at(-2)
  return (
    <li className="text-small" data-member={member}>
      <div className="grid grid-cols-[minmax(0,180px)_minmax(20px,1fr)_auto] items-center gap-2">
        <span className="min-w-0 truncate">
          {member}
          {last ? <span style={{ color: agentColour(last.agent) }}> {last.agent}</span> : null}
        </span>
        <span aria-hidden="true" className="h-1.5 overflow-hidden rounded-full bg-sunken">
          {last ? (
            <span
              className={`block h-full rounded-full ${toneOf(last)}`}
              style={{ width: `${Math.max(0, Math.min(1, last.points / last.outOf)) * 100}%` }}
            />
          ) : null}
        </span>
        <span className={last ? 'numbers' : absence ? 'text-warn' : 'text-ink-3'}>
          {before && before.points !== last?.points ? <span className="text-ink-3">{before.points} → </span> : null}
          {last ? `${last.points} of ${last.outOf}` : absence ? 'missing' : 'not yet'}
        </span>
      </div>
      {last?.dissent ? (
        <p className="mt-1 border-l-2 border-warn pl-2 text-ink-2 wrap-anywhere">
          <span className="text-warn">Dissent:</span> {last.dissent}
        </p>
      ) : null}
      {last?.reasons && !last.dissent && toneOf(last) !== bars.GREEN ? (
        <p className="mt-1 border-l-2 border-line pl-2 text-ink-2 wrap-anywhere">{last.reasons}</p>
      ) : null}
      {absence ? (
        <p className="mt-0.5 text-warn wrap-anywhere">
          {absence.spokeElsewhere ? `Missing from round ${absence.round}, the earlier vote stands: ` : ''}
          {absence.agent}: {absence.reason}
        </p>
      ) : null}
    </li>
  )
}

const bars = { GREEN: 'bg-ok', YELLOW: 'bg-warn', RED: 'bg-bad' }

const toneOf = ({ points, outOf }: Vote) => bars[rubricLevel(points, outOf)]
