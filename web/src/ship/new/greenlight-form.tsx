/** Greenlights existing issues, pasted, from a file or from GitHub. */
import { type ChangeEvent, type FormEvent, useId, useState } from 'react'
import { useLocation } from 'wouter'
import { featureAddress } from '../../data/addresses/ship.ts'
import { greenlight } from '../../data/calls/features.ts'
import { recall, remember } from '../../data/memory.ts'
import { useWatched } from '../../data/watched.ts'
import { Button } from '../../ui/button.tsx'
import { plural } from '../../ui/format.ts'
import { shipSettings } from '../view/ship-settings-store.ts'
import { exampleIssues, type ReadIssues, readIssuesText } from './issues-text.ts'

export function GreenlightForm() {
  const [, navigate] = useLocation()
  const settings = useWatched(shipSettings)
  const [text, setText] = useState(() => recall<string>('issues-text') ?? '')
  const [feature, setFeature] = useState('')
  const [label, setLabel] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [sending, setSending] = useState(false)
  const listed = useId()
  const read = text.trim() === '' ? null : readIssuesText(text, feature.trim())
  const name = feature.trim() || (read?.ok ? read.feature : '')
  const ready = name !== '' && (label.trim() !== '' || read?.ok === true)
  const write = (next: string) => {
    setText(next)
    remember('issues-text', next || undefined)
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!ready || sending) return
    setSending(true)
    setProblem(null)
    try {
      await greenlight(name, {
        ...(read?.ok ? { issues: read.issues } : {}),
        ...(label.trim() === '' ? {} : { from_github: `label:${label.trim()}` }),
      })
      remember('issues-text', undefined)
      navigate(featureAddress(name))
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
      setSending(false)
    }
  }
  return (
    <form onSubmit={submit}>
      <p className="mb-4 text-ink-2">
        Greenlighting an issue lets agents work on it. Convene checks git first: issues that are already implemented
        stay done.
      </p>
      <Field label="Feature" hint="Names the branch: letters, digits and dashes. Leave empty to take it from the file.">
        {(id) => (
          <input
            id={id}
            value={feature}
            placeholder={(read?.ok && read.feature) || 'charge-retries'}
            onChange={(event) => setFeature(event.target.value)}
            className={input}
          />
        )}
      </Field>
      <div className="mt-4 flex flex-wrap items-center gap-2">
        <label htmlFor="issues" className="text-small text-ink-2">
          Issues, as in issues.json
        </label>
        <span className="ml-auto flex items-center gap-2">
          <FileButton onText={write} />
          {text === '' ? (
            <Button weight="quiet" onClick={() => write(exampleIssues)}>
              Start from an example
            </Button>
          ) : null}
        </span>
      </div>
      <textarea
        id="issues"
        value={text}
        rows={Math.min(16, Math.max(8, text.split('\n').length + 1))}
        spellCheck={false}
        wrap="off"
        aria-invalid={read?.ok === false}
        aria-describedby={listed}
        placeholder={'{ "feature": "…", "issues": [ { "number": 1, "title": "…", "acceptance_criteria": […] } ] }'}
        onChange={(event) => write(event.target.value)}
        className="numbers mt-1 w-full resize-y rounded-[10px] border border-line-strong bg-panel px-3 py-2.5 text-[12px] leading-5 placeholder:text-ink-3"
      />
      <Verdict id={listed} read={read} />
      {settings?.forge.off === null ? (
        <div className="mt-4">
          <Field
            label={`Issues of ${settings.forge.repo} with a label`}
            hint="Their checklists become acceptance criteria, and their states follow the states here."
          >
            {(id) => (
              <input
                id={id}
                value={label}
                placeholder="ready"
                onChange={(event) => setLabel(event.target.value)}
                className={input}
              />
            )}
          </Field>
        </div>
      ) : null}
      {problem ? (
        <p role="alert" className="mt-4 rounded-lg bg-bad-soft px-3 py-2 text-small text-bad wrap-anywhere">
          {problem}
        </p>
      ) : null}
      <div className="mt-5">
        <Button type="submit" weight="primary" disabled={!ready || sending}>
          {sending ? 'Checking git…' : 'Greenlight'}
        </Button>
      </div>
    </form>
  )
}

const input = 'w-full max-w-sm rounded-lg border border-line-strong bg-panel px-3 py-1.5 placeholder:text-ink-3'

interface FieldProps {
  label: string
  hint: string
  children: (id: string) => React.ReactNode
}

function Field({ label, hint, children }: FieldProps) {
  const id = useId()
  return (
    <div>
      <label htmlFor={id} className="mb-1 block text-small text-ink-2">
        {label}
      </label>
      {children(id)}
      <p className="mt-1 text-small text-ink-3">{hint}</p>
    </div>
  )
}

function FileButton({ onText }: { onText(text: string): void }) {
  const read = (event: ChangeEvent<HTMLInputElement>) => {
    const [file] = event.target.files ?? []
    event.target.value = ''
    void file?.text().then(onText)
  }
  return (
    <label className="inline-flex h-[30px] items-center rounded-lg border border-line-strong bg-panel px-3 text-small font-medium hover:bg-hover has-focus-visible:outline-2 has-focus-visible:outline-accent">
      <input type="file" accept=".json,application/json" className="sr-only" onChange={read} />
      Open a file
    </label>
  )
}

function Verdict({ id, read }: { id: string; read: ReadIssues | null }) {
  return (
    <div id={id} role="status" data-testid="issues-verdict" className="mt-1.5 min-h-6 text-small">
      {read === null ? null : read.ok ? (
        <p className="text-ok">
          {plural(read.issues.length, 'issue')}, {plural(criteria(read), 'criterion', 'criteria')}: ready.
        </p>
      ) : (
        <ul className="space-y-0.5 text-bad">
          {read.problems.map((problem) => (
            <li key={problem} className="wrap-anywhere">
              {problem}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

const criteria = ({ issues }: Extract<ReadIssues, { ok: true }>) =>
  issues.reduce((sum, { acceptance_criteria }) => sum + acceptance_criteria.length, 0)
