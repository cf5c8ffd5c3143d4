/** Prompts and exits, fetched by payload reference. */
import { type ReactNode, useState } from 'react'
import { readPayload } from '../../data/calls/builds.ts'
import { useLoaded } from '../../data/use-loaded.ts'
import { CopyButton } from '../copy-button.tsx'
import { count, spaced } from '../format.ts'
import { LoadingText } from '../loading-text.tsx'
import { Unfold } from '../unfold.tsx'

const loadText = (reference: string) => readPayload(reference).then((bytes) => new TextDecoder().decode(bytes))

interface PromptMessage {
  role: string
  content: string
}

/** A payload as plain text, shortened where it is long. */
export function PayloadText({ reference }: { reference: string }) {
  const loaded = useLoaded(reference, () => loadText(reference))
  return loaded.state === 'ready' ? <LongText text={loaded.value} /> : <LoadingText loaded={loaded} />
}

export function PromptText({ reference }: { reference: string }) {
  const loaded = useLoaded(reference, () => loadText(reference))
  if (loaded.state !== 'ready') return <LoadingText loaded={loaded} />
  const messages = messagesIn(loaded.value)
  const task = messages.length - 1
  return (
    <ol className="space-y-2" data-testid="prompt">
      {messages.map(({ role, content }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a prompt never changes
        <li key={index}>
          {index === task ? (
            <>
              <div className="flex items-center justify-between">
                <span className="caption">{roleLabel[role] ?? role}</span>
                <CopyButton text={content} label="Copy the task" className="size-6" />
              </div>
              <LongText text={content} />
            </>
          ) : (
            <Unfold label={`${roleLabel[role] ?? role}, ${count(content.length)} characters`}>
              <LongText text={content} />
            </Unfold>
          )}
        </li>
      ))}
    </ol>
  )
}

const roleLabel: Record<string, string> = { system: 'Instructions', user: 'Task', assistant: 'Reply' }

function messagesIn(text: string): PromptMessage[] {
  try {
    const value = JSON.parse(text) as PromptMessage[]
    if (Array.isArray(value) && value.every(({ content }) => typeof content === 'string')) return value
  } catch {
    // Not a prompt of ours: shown as text.
  }
  return [{ role: 'prompt', content: text }]
}

const shownAtFirst = 4000

export function LongText({ text }: { text: string }) {
  const [all, setAll] = useState(false)
  const shown = all ? text : text.slice(0, shownAtFirst)
  return (
    <>
      <pre className="numbers max-h-[60vh] overflow-auto rounded-lg bg-sunken px-2.5 py-2 text-[11.5px] leading-[1.55] whitespace-pre-wrap wrap-anywhere">
        {shown}
        {shown.length < text.length ? '…' : ''}
      </pre>
      {shown.length < text.length ? (
        <button
          type="button"
          onClick={() => setAll(true)}
          className="mt-1 text-small text-accent underline underline-offset-2"
        >
          Show all {count(text.length)} characters
        </button>
      ) : null}
    </>
  )
}

export function ExitText({ reference }: { reference: string }) {
  const loaded = useLoaded(reference, () => loadText(reference))
  if (loaded.state !== 'ready') return <LoadingText loaded={loaded} />
  return (
    <div data-testid="exit" className="rounded-lg bg-sunken px-2.5 py-2 text-small">
      <Value value={jsonIn(loaded.value)} />
    </div>
  )
}

function jsonIn(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    // `{ExitName: {…}}`: the name stands above already.
    const [only, ...others] = Object.values(value as object)
    return others.length === 0 && only !== null && typeof only === 'object' ? only : value
  } catch {
    return text
  }
}

/** Objects as names and values, arrays as lists. */
function Value({ value }: { value: unknown }): ReactNode {
  if (Array.isArray(value)) {
    if (value.length === 0) return <span className="text-ink-3">none</span>
    return (
      <ul className="space-y-1">
        {value.map((one, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an exit never changes
          <li key={index} className="border-l-2 border-line pl-2">
            <Value value={one} />
          </li>
        ))}
      </ul>
    )
  }
  if (value !== null && typeof value === 'object') {
    return (
      <dl className="space-y-1">
        {Object.entries(value).map(([name, one]) => (
          <div key={name}>
            <dt className="text-tiny text-ink-3">{spaced(name)}</dt>
            <dd className="min-w-0">
              <Value value={one} />
            </dd>
          </div>
        ))}
      </dl>
    )
  }
  return <span className="whitespace-pre-wrap wrap-anywhere">{value === null ? '–' : String(value)}</span>
}
