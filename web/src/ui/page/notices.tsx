/** Errors, questions, the reason of a failure and warnings, above a page's content. */
import type { ReactNode } from 'react'

interface NoticesProps {
  /** Why the last action failed. */
  problem: string | null
  /** One card for each open question. */
  questions: readonly ReactNode[]
  /** Why the work failed. */
  failed: string | null
  failedTestId: string
  warnings: readonly string[]
  className: string
}

export function Notices({ problem, questions, failed, failedTestId, warnings, className }: NoticesProps) {
  if (questions.length === 0 && warnings.length === 0 && failed === null && problem === null) return null
  return (
    <div className={`space-y-2 ${className}`}>
      {problem === null ? null : (
        <p role="alert" className="text-small text-bad">
          {problem}
        </p>
      )}
      {questions}
      {failed === null ? null : (
        <p
          data-testid={failedTestId}
          className="rounded-[10px] bg-bad-soft px-4 py-2.5 text-small text-bad wrap-anywhere"
        >
          <b className="font-semibold">Failed:</b> {failed}
        </p>
      )}
      {warnings.map((text) => (
        <p key={text} className="text-small text-warn wrap-anywhere">
          {text}
        </p>
      ))}
    </div>
  )
}
