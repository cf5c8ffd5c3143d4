/** A question to a person: its context, its choices as buttons, and a field for another answer. */

import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { Link } from 'wouter'
import type { Answer, Question } from '../../../src/kernel/runs/question-events.ts'
import { questionAddress } from '../data/addresses/question.ts'
import { answerQuestion } from '../data/feed/questions-store.ts'
import { Button } from './button.tsx'
import { Dot } from './chip.tsx'
import { capitalised } from './format.ts'
import { detailsOf } from './question-details.ts'

interface QuestionCardProps {
  question: Question
  /** Links to the node or phase that asks, unless the card is already shown there. */
  linked?: boolean
  /** The run was stopped: an answer alone does not resume it. */
  halted?: boolean
  /** The evidence behind the question. */
  children?: ReactNode
}

export function QuestionCard({ question, linked = false, halted = false, children }: QuestionCardProps) {
  const [text, setText] = useState('')
  const [sent, setSent] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const heading = useId()
  const field = useId()
  const address = questionAddress(question)
  const answer = async (given: Answer) => {
    setSent(true)
    setProblem(null)
    try {
      await answerQuestion(question.id, given)
    } catch (error) {
      setSent(false)
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() !== '') void answer({ text: text.trim() })
  }
  return (
    <section
      aria-labelledby={heading}
      data-testid="question"
      data-question={question.id}
      className="rise rounded-[10px] border border-warn bg-panel px-4 py-3.5"
    >
      <div className="flex items-baseline gap-2.5">
        <Dot tone="warn" />
        <h2 id={heading} className="min-w-0 flex-1 text-title font-semibold wrap-anywhere">
          {question.text}
        </h2>
        {linked && address ? (
          <Link
            href={address}
            className="shrink-0 text-small text-accent underline underline-offset-2 max-[759px]:hidden"
          >
            {openLabel(address)}
          </Link>
        ) : null}
      </div>
      <Details question={question} />
      {children}
      <form onSubmit={submit} className="mt-3 flex flex-wrap items-end gap-2">
        {question.choices?.map((choice, index) => (
          <Button
            key={choice}
            weight={index === 0 && text.trim() === '' ? 'primary' : 'plain'}
            disabled={sent}
            onClick={() => void answer({ choice })}
          >
            {capitalised(choice)}
          </Button>
        ))}
        {question.only_choices ? null : (
          <div className="flex min-w-[310px] flex-1 items-end gap-2 max-[759px]:min-w-0 max-[759px]:basis-full">
            <label htmlFor={field} className="sr-only">
              Your own answer
            </label>
            <textarea
              id={field}
              value={text}
              rows={text.includes('\n') || text.length > 70 ? 3 : 1}
              disabled={sent}
              placeholder={placeholderOf(question)}
              onChange={(event) => setText(event.target.value)}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) submit(event)
              }}
              className="min-h-[30px] min-w-0 flex-1 resize-none rounded-lg border border-line-strong bg-bg px-2.5 py-1 text-small placeholder:text-ink-3"
            />
            <Button
              type="submit"
              weight={text.trim() === '' ? 'plain' : 'primary'}
              disabled={sent || text.trim() === ''}
            >
              Answer
            </Button>
          </div>
        )}
      </form>
      <p role="status" className={`text-small ${problem ? 'mt-2 text-bad' : sent ? 'mt-2 text-ink-2' : ''}`}>
        {problem ?? (sent ? (halted ? 'Answered. Resume to continue.' : 'Answered. Work continues.') : '')}
      </p>
    </section>
  )
}

const openLabel = (address: string) =>
  address.startsWith('/plans/')
    ? 'Open the phase'
    : address.startsWith('/features/')
      ? 'Open the issue'
      : 'Open the node'

function Details({ question }: { question: Question }) {
  const details = detailsOf(question)
  if (details.length === 0) return null
  return (
    <dl className="mt-2 space-y-1 text-small">
      {details.map(({ name, text }) => (
        <div key={name} className="flex gap-2 max-[759px]:flex-col max-[759px]:gap-0">
          {name === '' ? null : <dt className="w-32 shrink-0 text-ink-3">{name}</dt>}
          <dd className="max-h-40 min-w-0 overflow-auto whitespace-pre-wrap text-ink-2 wrap-anywhere">{text}</dd>
        </div>
      ))}
    </dl>
  )
}

function placeholderOf({ choices, numbers }: Question): string {
  if (numbers) return `Or issue numbers, such as ${numbers.join(', ')}`
  return choices ? 'Or say what to do instead' : 'Your answer'
}
