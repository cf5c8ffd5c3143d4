/** Each agent's confidence, against the threshold for answering together. */
import { recordedLimits } from '../../../../src/rules/room/dispatch-limits.ts'
import { agentColour } from '../../ui/agent-colour.ts'
import { hundredths } from '../../ui/format.ts'
import type { Decision } from '../conversation/conversation-types.ts'
import { failureLabel } from '../conversation/decision-labels.ts'
import { ranked } from './ladder.ts'

export function Confidence({ decision }: { decision: Decision }) {
  const { proposals, missing } = decision
  const { high } = recordedLimits(decision.limits)
  const names = ranked(decision)
  const all = names.length + missing.length
  return (
    <>
      {names.map((name) => (
        <Meter key={name} name={name} value={proposals[name]!.confidence} line={high} />
      ))}
      {missing.map(({ agent }) => (
        <Meter key={agent} name={agent} value={undefined} line={undefined} />
      ))}
      {missing.length > 0 ? (
        <p className="mt-1.5 text-small text-warn">
          {names.length} of {all} proposed:{' '}
          {missing.map(({ agent, reason }) => `${agent} ${failureLabel[reason] ?? reason}`).join(', ')}
        </p>
      ) : null}
    </>
  )
}

function Meter({ name, value, line }: { name: string; value: number | undefined; line: number | undefined }) {
  return (
    <div className="my-1.5 grid grid-cols-[minmax(48px,auto)_1fr_34px] items-center gap-2 text-small">
      <span className="max-w-24 truncate font-medium" style={{ color: agentColour(name) }}>
        {name}
      </span>
      <span aria-hidden="true" className="relative block h-1.5 rounded-full bg-sunken">
        <span
          className="block h-full rounded-full"
          style={{ width: `${(value ?? 0) * 100}%`, background: agentColour(name) }}
        />
        {line === undefined ? null : (
          <span className="absolute -top-0.5 h-2.5 w-px bg-ink-3" style={{ left: `${line * 100}%` }} />
        )}
      </span>
      <span className="numbers text-right">{value === undefined ? '–' : hundredths(value)}</span>
    </div>
  )
}
