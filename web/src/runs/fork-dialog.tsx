/** Forks a run from one of its steps. */
import { useState } from 'react'
import { useLocation } from 'wouter'
import { runAddress } from '../data/addresses/run.ts'
import { forkRun, getSteps, type Step } from '../data/calls/runs.ts'
import { useLoaded } from '../data/use-loaded.ts'
import { Button } from '../ui/button.tsx'
import { clock, plural } from '../ui/format.ts'
import { LoadingText } from '../ui/loading-text.tsx'
import { Modal } from '../ui/modal.tsx'

/** A run may have thousands of steps; a search finds them by name. */
const mostShown = 200

export function ForkDialog({ run, onClose }: { run: string; onClose(): void }) {
  const loaded = useLoaded(run, () => getSteps(run))
  return (
    <Modal title="Fork from a step" onClose={onClose}>
      <div className="flex min-h-0 flex-col p-4">
        <p className="mb-3 text-small text-ink-2">
          A new run copies every step before the one you choose and continues from there. This run does not change.
        </p>
        {loaded.state === 'ready' ? <Steps run={run} steps={loaded.value} /> : <LoadingText loaded={loaded} />}
      </div>
    </Modal>
  )
}

function Steps({ run, steps }: { run: string; steps: readonly Step[] }) {
  const [, navigate] = useLocation()
  const [wanted, setWanted] = useState('')
  const [from, setFrom] = useState<number | null>(null)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const found = steps.filter(({ name, kind }) => `${name} ${kind}`.toLowerCase().includes(wanted.trim().toLowerCase()))
  const shown = found.slice(-mostShown)
  const fork = async () => {
    if (from === null) return
    setBusy(true)
    setProblem(null)
    try {
      const { id } = await forkRun(run, from)
      navigate(runAddress(id))
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
      setBusy(false)
    }
  }
  if (steps.length === 0) return <p className="text-small text-ink-2">No steps yet.</p>
  return (
    <>
      <input
        type="search"
        aria-label="Search in the steps"
        placeholder="Search in the steps"
        value={wanted}
        onChange={(event) => setWanted(event.target.value)}
        data-autofocus
        className="mb-2 h-[30px] rounded-lg border border-line bg-panel px-2.5 text-small"
      />
      {found.length > shown.length ? (
        <p className="mb-1 text-tiny text-ink-3">{`The last ${mostShown} of ${plural(found.length, 'step')}.`}</p>
      ) : null}
      <div
        role="radiogroup"
        aria-label="Step"
        className="max-h-64 min-h-0 overflow-y-auto rounded-lg border border-line"
      >
        {shown.map(({ position, name, kind, state, at }) => (
          <label
            key={position}
            className="flex items-baseline gap-2.5 border-b border-line px-2.5 py-1 text-small last:border-b-0 hover:bg-hover has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name="step"
              className="sr-only"
              checked={from === position}
              onChange={() => setFrom(position)}
            />
            <span className="numbers w-8 shrink-0 text-right text-tiny text-ink-3">{position}</span>
            <span className="min-w-0 flex-1 truncate">{name}</span>
            <span className={`text-tiny ${state === 'failed' ? 'text-bad' : 'text-ink-3'}`}>
              {kind === 'step' ? state : `${kind}, ${state}`}
            </span>
            <time dateTime={at} className="numbers text-tiny text-ink-3">
              {clock(at)}
            </time>
          </label>
        ))}
        {shown.length === 0 ? <p className="p-3 text-small text-ink-3">No matching steps.</p> : null}
      </div>
      {problem ? (
        <p role="alert" className="mt-2 text-small text-bad">
          {problem}
        </p>
      ) : null}
      <div className="mt-3">
        <Button weight="primary" disabled={from === null || busy} onClick={() => void fork()}>
          {busy ? 'Forking…' : from === null ? 'Choose a step' : `Fork from step ${from}`}
        </Button>
      </div>
    </>
  )
}
