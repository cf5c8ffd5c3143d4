/** The options of each mode: target, participants, speaker, turns and override. */
import { useState } from 'react'
import { overrideLabel } from '../conversation/override-label.ts'
import { type Composition, clampRounds, fewestRounds, mostRounds } from './composition.ts'
import { Participants } from './participants.tsx'
import { Picker } from './picker.tsx'

interface OptionsProps {
  composition: Composition
  agents: readonly string[]
  /** The override of the room, which applies unless this message has its own. */
  inRoom: string | null
  change(part: Partial<Composition>): void
}

export function Options({ composition, agents, inRoom, change }: OptionsProps) {
  const { mode, target, override } = composition
  if (mode === 'single') {
    return (
      <Picker
        label="Target"
        testId="target"
        value={target}
        onChange={(next) => change({ target: next })}
        options={agents.map((name) => ({ value: name, text: `to ${name}` }))}
      />
    )
  }
  if (mode === 'coordinate') {
    const choices = [
      { value: '', text: inRoom === null ? 'the rule decides' : "this room's override" },
      ...(agents.length > 1 ? [{ value: 'both', text: `${overrideLabel('both', agents)} answer` }] : []),
      ...agents.map((name) => ({ value: `only ${name}`, text: `only ${name}` })),
    ]
    return (
      <Picker
        label="Who answers this message"
        testId="override"
        value={override ?? ''}
        onChange={(next) => change({ override: next === '' ? null : next })}
        options={choices}
      />
    )
  }
  return <CollaborateOptions composition={composition} agents={agents} change={change} />
}

function CollaborateOptions({ composition, agents, change }: Omit<OptionsProps, 'inRoom'>) {
  const { participants, speaker, maxRounds, autopilot } = composition
  return (
    <>
      <Participants
        agents={agents}
        chosen={participants}
        onChange={(next) => change({ participants: next, speaker: next.includes(speaker) ? speaker : next[0]! })}
      />
      <Picker
        label="Speaker"
        testId="speaker"
        value={speaker}
        onChange={(next) => change({ speaker: next })}
        options={participants.map((name) => ({ value: name, text: `${name} first` }))}
      />
      <div className="flex h-[27px] items-center gap-1.5 rounded-full border border-line bg-sunken pr-1 pl-2.5 text-small text-ink-2 has-disabled:opacity-55">
        <span>up to</span>
        <Rounds rounds={maxRounds} disabled={autopilot} onChange={(next) => change({ maxRounds: next })} />
        <span className="pr-1.5">turns</span>
      </div>
      <label
        className="flex h-[27px] items-center gap-1.5 rounded-full border border-line bg-sunken px-2.5 text-small text-ink-2"
        title="Agents keep taking turns without hand-offs, up to the autopilot limits"
      >
        <input
          type="checkbox"
          data-testid="autopilot"
          checked={autopilot}
          onChange={(event) => change({ autopilot: event.target.checked })}
          className="accent-(--accent)"
        />
        autopilot
      </label>
    </>
  )
}

/** Keeps the typed text until it is a valid number: "1" on the way to "12" must not be replaced. */
function Rounds(props: { rounds: number; disabled: boolean; onChange: (rounds: number) => void }) {
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <input
      type="number"
      data-testid="max-rounds"
      aria-label="Maximum turns"
      min={fewestRounds}
      max={mostRounds}
      disabled={props.disabled}
      value={typed ?? String(props.rounds)}
      onChange={(event) => {
        setTyped(event.target.value)
        const value = event.target.valueAsNumber
        if (Number.isInteger(value) && value >= fewestRounds && value <= mostRounds) props.onChange(value)
      }}
      onBlur={(event) => {
        if (typed !== null) props.onChange(clampRounds(event.target.valueAsNumber))
        setTyped(null)
      }}
      className="numbers w-10 rounded-full bg-transparent text-right text-ink outline-offset-0"
    />
  )
}
