/** The members of a phase: what each said, who is still working, and who did not answer and why. */
import type { PhaseView } from '../../../../src/plan/view.ts'
import { useLoaded } from '../../data/use-loaded.ts'
import { agentColour } from '../../ui/agent-colour.ts'
import { Chip, Dot, type Tone } from '../../ui/chip.tsx'
import { LoadingText } from '../../ui/loading-text.tsx'
import { Markdown } from '../../ui/text/markdown.tsx'
import { Unfold } from '../../ui/unfold.tsx'
import { type Attendance, absenteesOf, isWhole, speakersOf, turnoutLabel } from '../view/attendance.ts'
import { stateLabel, strategyLabel } from '../view/labels.ts'
import { loadText } from './artefacts.tsx'
import { Card } from './card.tsx'

interface MembersProps {
  phase: PhaseView
  attendance: Attendance | null
  over: boolean
}

export function Members({ phase, attendance, over }: MembersProps) {
  const { outputs, strategy, override } = phase
  const absent = absenteesOf(phase)
  const roles = [
    ...new Set([...speakersOf(phase), ...outputs.map(({ role }) => role), ...absent.map(({ role }) => role)]),
  ]
  if (roles.length === 0) return null
  const isOn = stateLabel(phase, over).tone === 'live'
  return (
    <Card
      title="Participants"
      wide
      testId="members"
      more={
        <>
          {strategy ? <Chip title={strategy}>{strategyLabel[strategy]}</Chip> : null}
          {attendance ? (
            <Chip tone={isWhole(attendance) ? 'plain' : 'warn'}>
              {isWhole(attendance) ? '' : 'degraded: '}
              {turnoutLabel(phase, attendance)}
            </Chip>
          ) : null}
        </>
      }
    >
      {override ? <p className="mb-2 text-small text-ink-2">{override}</p> : null}
      <ul className="space-y-2.5">
        {roles.map((role) => (
          <Member
            key={role}
            role={role}
            outputs={outputs.filter((output) => output.role === role && !output.empty)}
            absences={absent.filter((one) => one.role === role)}
            spoke={
              phase.votes.some(({ member }) => member === role) || (phase.id === '6b' && phase.state !== 'working')
            }
            isOn={isOn}
          />
        ))}
      </ul>
    </Card>
  )
}

interface MemberProps {
  role: string
  outputs: PhaseView['outputs']
  absences: ReturnType<typeof absenteesOf>
  /** Answered by a vote or by findings instead of text. */
  spoke: boolean
  isOn: boolean
}

function Member({ role, outputs, absences, spoke, isOn }: MemberProps) {
  const agent = outputs.at(-1)?.agent ?? absences.at(-1)?.agent
  const heard = outputs.length > 0 || (spoke && absences.length === 0)
  const tone: Tone = absences.length > 0 ? 'warn' : heard ? 'ok' : isOn ? 'live' : 'plain'
  const word = outputs.length > 0 || heard ? '' : absences.length > 0 ? 'missing' : isOn ? 'working' : 'no answer'
  return (
    <li data-testid="member" data-role={role} data-missing={absences.length > 0}>
      <div className="flex items-baseline gap-2 text-small">
        <span className="flex self-center">
          <Dot tone={tone} />
        </span>
        <span className="font-medium">{role}</span>
        {agent ? <span style={{ color: agentColour(agent) }}>{agent}</span> : null}
        {word ? <span className={tone === 'warn' ? 'text-warn' : 'text-ink-3'}>{word}</span> : null}
      </div>
      {absences.map(({ round, reason, spokeElsewhere }) => (
        <p key={round} className="ml-[15px] text-small text-warn wrap-anywhere">
          {spokeElsewhere ? `Missing from round ${round}: ` : ''}
          {reason}
        </p>
      ))}
      <div className="ml-[11px] space-y-1">
        {outputs.map(({ round, ask, excerpt, output_ref }) => (
          <Unfold
            key={ask}
            label={`${outputs.length > 1 || round > 1 ? `Round ${round}: ` : ''}${excerpt.replace(/\*\*|`|^- /g, '')}`}
          >
            <div className="rounded-lg bg-sunken px-3 py-2.5">
              <Output reference={output_ref} />
            </div>
          </Unfold>
        ))}
      </div>
    </li>
  )
}

function Output({ reference }: { reference: string }) {
  const loaded = useLoaded(reference, () => loadText(reference))
  if (loaded.state !== 'ready') return <LoadingText loaded={loaded} />
  return <Markdown text={loaded.value} />
}
