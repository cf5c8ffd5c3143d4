/** Starts a build: a spec, checked line by line as it is typed, and a strategy. */
import { useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { type BuildStrategy, strategyForSpec } from '../../../../src/rules/build/spec.ts'
import { buildAddress } from '../../data/addresses/build.ts'
import { startBuild } from '../../data/calls/builds.ts'
import { recall, remember } from '../../data/memory.ts'
import { Button } from '../../ui/button.tsx'
import { plural } from '../../ui/format.ts'
import { CheckOption, FormProblem, RadioCard, useStart } from '../../ui/page/form.tsx'
import { SpecField } from './spec-field.tsx'
import { exampleSpec, readSpec } from './spec-text.ts'

const strategies: { id: BuildStrategy; label: string; means: string }[] = [
  { id: 'auto', label: 'Auto', means: 'Small specs go to one agent, larger ones through the graph' },
  { id: 'graph', label: 'Graph', means: 'Separate planner, test author, coder and reviewer; parts in parallel' },
  { id: 'solo', label: 'Solo', means: 'One agent writes tests and code in one go; same checks, one review' },
]

export function NewBuildPage() {
  const [, navigate] = useLocation()
  const [text, setText] = useState(() => recall<string>('build-spec') ?? '')
  const [strategy, setStrategy] = useState<BuildStrategy>('auto')
  const [merge, setMerge] = useState(false)
  const read = useMemo(() => readSpec(text), [text])
  const isEmpty = text.trim() === ''
  const write = (next: string) => {
    setText(next)
    remember('build-spec', next || undefined)
  }
  const { starting, problem, submit } = useStart('build', 'spec' in read, async (id) => {
    if (!('spec' in read)) return
    const started = await startBuild({ id, spec: read.spec, strategy, merge })
    remember('build-spec', undefined)
    navigate(buildAddress(started.id))
  })
  return (
    <main className="min-h-0 flex-1 overflow-auto">
      <form onSubmit={submit} className="mx-auto max-w-[820px] px-4 py-5 md:px-6">
        <h1 className="text-large font-semibold">New build</h1>
        <p className="mt-1 mb-4 text-ink-2">
          A spec says what to build and how to check that it works: an id, acceptance criteria, the file to write and
          where its tests go. The result is a branch; your checkout is not touched.
        </p>
        <div className="mb-1 flex items-center justify-between gap-3">
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
              <RadioCard
                key={id}
                name="strategy"
                label={label}
                checked={strategy === id}
                onChoose={() => setStrategy(id)}
                more={means}
              />
            ))}
          </div>
        </fieldset>
        <CheckOption
          label="Merge the result into the checked-out branch"
          more="Only if no uncommitted change of yours is in the way. Otherwise the result stays on its own branch."
          checked={merge}
          onChange={setMerge}
          className="mt-4"
        />
        <FormProblem problem={problem} />
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
