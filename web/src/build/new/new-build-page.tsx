/** Begins a build: a spec as it is written, checked line by line, and how it is to be built. */
import { type FormEvent, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { type BuildStrategy, strategyForSpec } from '../../../../src/rules/build/spec.ts'
import { buildAddress } from '../../data/addresses/build.ts'
import { startBuild } from '../../data/calls/builds.ts'
import { recall, remember } from '../../data/memory.ts'
import { newId } from '../../data/new-id.ts'
import { ApiError } from '../../data/request.ts'
import { Button } from '../../ui/button.tsx'
import { plural } from '../../ui/format.ts'
import { SpecField } from './spec-field.tsx'
import { exampleSpec, readSpec } from './spec-text.ts'

const strategies: { id: BuildStrategy; label: string; means: string }[] = [
  { id: 'auto', label: 'Automatic', means: 'small specs go to one agent, larger ones through the graph' },
  { id: 'graph', label: 'Graph', means: 'separate planner, test author, coder and reviewer; parts in parallel' },
  { id: 'solo', label: 'Solo', means: 'one agent writes tests and code in one go, verified the same way' },
]

export function NewBuildPage() {
  const [, navigate] = useLocation()
  const [text, setText] = useState(() => recall<string>('build-spec') ?? '')
  const [strategy, setStrategy] = useState<BuildStrategy>('auto')
  const [merge, setMerge] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [starting, setStarting] = useState(false)
  // The same build, however often it has to be sent.
  const id = useRef(`build-${newId()}`)
  const read = useMemo(() => readSpec(text), [text])
  const isEmpty = text.trim() === ''
  const write = (next: string) => {
    setText(next)
    remember('build-spec', next || undefined)
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!('spec' in read)) return
    setStarting(true)
    setProblem(null)
    try {
      const started = await startBuild({ id: id.current, spec: read.spec, strategy, merge })
      remember('build-spec', undefined)
      navigate(buildAddress(started.id))
    } catch (error) {
      setStarting(false)
      if (!(error instanceof ApiError) || error.status !== 0) id.current = `build-${newId()}`
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <main className="min-h-0 flex-1 overflow-auto">
      <form onSubmit={submit} className="mx-auto max-w-[820px] px-4 py-5 md:px-6">
        <h1 className="text-large font-semibold">New build</h1>
        <p className="mt-1 mb-4 text-ink-2">
          A spec says what to build and how to check that it works: an id, acceptance criteria, the file to write and
          where its tests go. The result is a branch; your checkout is not touched.
        </p>
        <div className="mb-1 flex items-end justify-between gap-3">
          <label htmlFor="spec" className="text-small text-ink-2">
            Spec, YAML or JSON
          </label>
          <Button
            weight="quiet"
            onClick={() => write(exampleSpec)}
            className={`-mr-3 ${isEmpty ? 'text-accent!' : ''}`}
          >
            {isEmpty ? 'Start from an example' : 'Replace with the example'}
          </Button>
        </div>
        <SpecField text={text} onText={write} problems={isEmpty || 'spec' in read ? [] : read.problems} />
        <fieldset className="mt-5">
          <legend className="mb-1 text-small text-ink-2">Strategy</legend>
          <div className="grid gap-2 min-[760px]:grid-cols-3">
            {strategies.map(({ id, label, means }) => (
              <label
                key={id}
                className="flex gap-2.5 rounded-[10px] border border-line bg-panel px-3 py-2.5 has-checked:border-accent has-focus-visible:outline-2 has-focus-visible:outline-accent"
              >
                <input
                  type="radio"
                  name="strategy"
                  checked={strategy === id}
                  onChange={() => setStrategy(id)}
                  className="mt-1 self-start accent-(--accent)"
                />
                <span>
                  <b className="block font-medium">{label}</b>
                  <span className="block text-small text-ink-2">{means}</span>
                </span>
              </label>
            ))}
          </div>
        </fieldset>
        <label className="mt-4 flex items-baseline gap-2.5">
          <input
            type="checkbox"
            checked={merge}
            onChange={(event) => setMerge(event.target.checked)}
            className="translate-y-px accent-(--accent)"
          />
          <span>
            Merge the result into the checked-out branch
            <span className="block text-small text-ink-3">
              Only if no uncommitted change of yours is in the way. Otherwise the result stays on its own branch.
            </span>
          </span>
        </label>
        {problem ? (
          <p role="alert" className="mt-4 rounded-lg bg-bad-soft px-3 py-2 text-small text-bad">
            {problem}
          </p>
        ) : null}
        <div className="mt-5 flex flex-wrap items-center gap-3">
          <Button type="submit" weight="primary" disabled={!('spec' in read) || starting}>
            {starting ? 'Starting…' : 'Start the build'}
          </Button>
          <span role="status" className="text-small text-ink-2">
            {'spec' in read
              ? `${plural(read.spec.acceptanceCriteria.length, 'criterion', 'criteria')}: ${strategyForSpec(read.spec, strategy)}`
              : isEmpty
                ? ''
                : `${plural(read.problems.length, 'problem')} to fix`}
          </span>
        </div>
      </form>
    </main>
  )
}
