/** After the sample: the two commands that do the same in your own repository. */
import { useState } from 'react'
import { recall, remember } from '../../data/memory.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { useSample } from './use-sample.ts'

export function SampleEnd({ room }: { room: string }) {
  const { project, sample, ship, starting, problem, play } = useSample(room)
  const [dismissed, setDismissed] = useState(() => recall<string>('sample-end-dismissed'))
  if (!project || !sample || !ship || ship.stage !== 'over' || ship.room !== room || dismissed === ship.run) return null
  const isDone = ship.status === 'done'
  return (
    <section
      aria-label={isDone ? 'Use it on your repository' : 'The sample was not shipped'}
      data-testid="sample-end"
      className="mx-3.5 mb-2 rounded-[12px] border border-line bg-panel px-4 py-3 md:mx-5"
    >
      <div className="mx-auto max-w-[860px]">
        <div className="flex items-center gap-2">
          <h2 className="font-semibold">{isDone ? 'Use it on your repository' : 'The sample was not shipped'}</h2>
          <span className="ml-auto flex items-center gap-1">
            <Button weight="quiet" className="h-6.5!" disabled={starting} onClick={() => void play(sample)}>
              {starting ? 'Starting…' : 'Play it again'}
            </Button>
            <IconButton
              icon="close"
              label="Dismiss"
              onClick={() => {
                remember('sample-end-dismissed', ship.run)
                setDismissed(ship.run)
              }}
            />
          </span>
        </div>
        {isDone ? <TwoLines command={project.command} /> : <p className="mt-1 text-small text-ink-2">{ship.reason}</p>}
        {problem ? (
          <p role="alert" className="mt-1.5 text-small text-bad">
            {problem}
          </p>
        ) : null}
      </div>
    </section>
  )
}

function TwoLines({ command }: { command: string }) {
  const lines = [`cd your-repository && ${command} init`, `${command} ship "what you want" --merge`]
  return (
    <>
      <ol className="mt-1.5 space-y-1">
        {lines.map((line) => (
          <li key={line} className="flex items-center gap-1 rounded-lg bg-sunken py-0.5 pr-1 pl-3">
            <pre className="numbers min-w-0 flex-1 whitespace-pre-wrap text-small wrap-anywhere">{line}</pre>
            <CopyButton text={line} label="Copy this command" />
          </li>
        ))}
      </ol>
      <p className="mt-1.5 text-small text-ink-3">
        The first command finds your agents and keys and writes convene.yaml. The second plans your goal, builds it and
        merges it into the current branch.
      </p>
    </>
  )
}
