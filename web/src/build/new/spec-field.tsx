/** A text field for a spec, with line numbers and the problem of each line. */
import { useId, useRef } from 'react'
import type { SpecProblem } from './spec-text.ts'

interface SpecFieldProps {
  text: string
  onText(text: string): void
  problems: readonly SpecProblem[]
}

export function SpecField({ text, onText, problems }: SpecFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  const gutter = useRef<HTMLDivElement>(null)
  const list = useId()
  const wrong = new Set(problems.map(({ line }) => line))
  const lines = Math.max(14, text.split('\n').length)
  const goTo = (line: number) => {
    const start =
      text
        .split('\n')
        .slice(0, line - 1)
        .join('\n').length + (line > 1 ? 1 : 0)
    const end = text.indexOf('\n', start)
    field.current?.focus()
    field.current?.setSelectionRange(start, end === -1 ? text.length : end)
  }
  return (
    <>
      <div className="flex h-80 overflow-hidden rounded-[10px] border border-line-strong bg-panel focus-within:border-accent">
        <div
          ref={gutter}
          aria-hidden="true"
          className="numbers shrink-0 overflow-hidden bg-sunken py-2.5 text-right text-[12.5px] leading-5 text-ink-3 select-none"
        >
          {Array.from({ length: lines }, (_, index) => (
            <div
              // biome-ignore lint/suspicious/noArrayIndexKey: a line is its number
              key={index}
              className={`pr-2 pl-3 ${wrong.has(index + 1) ? 'bg-bad-soft font-semibold text-bad' : ''}`}
            >
              {index + 1}
            </div>
          ))}
        </div>
        <textarea
          id="spec"
          ref={field}
          value={text}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          aria-invalid={problems.length > 0}
          aria-describedby={problems.length > 0 ? list : undefined}
          wrap="off"
          placeholder={
            'id: slug\ndescription: Turn a title into a slug\nacceptanceCriteria:\n  - id: lower\n    text: …'
          }
          onChange={(event) => onText(event.target.value)}
          onScroll={({ currentTarget }) => gutter.current?.scrollTo(0, currentTarget.scrollTop)}
          className="numbers min-w-0 flex-1 resize-none bg-transparent px-3 py-2.5 text-[12.5px] leading-5 whitespace-pre outline-none placeholder:text-ink-3"
        />
      </div>
      <ul id={list} data-testid="spec-problems" className="mt-2 space-y-0.5 text-small empty:hidden">
        {problems.map(({ line, path, message }) => (
          <li key={`${line} ${path} ${message}`}>
            <button
              type="button"
              onClick={() => goTo(line)}
              className="flex w-full items-baseline gap-2 rounded-md px-1.5 py-0.5 text-left hover:bg-hover"
            >
              <span className="numbers w-14 shrink-0 text-bad">line {line}</span>
              <span className="min-w-0 wrap-anywhere">
                {path ? <code className="numbers">{path} </code> : null}
                {message}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
