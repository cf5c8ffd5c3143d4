/** The answers to a message: one plain, or several as cards side by side. */
import type { Entry } from '../conversation/conversation-types.ts'
import { Answer } from './answer.tsx'

export function AnswersRow({ entry }: { entry: Extract<Entry, { kind: 'answers' }> }) {
  const { message, answers } = entry
  if (answers.length === 1 && message.decision?.mode !== 'parallel')
    return <Answer message={message} answer={answers[0]!} />
  return (
    <div className="@container">
      <div className={`grid gap-3.5 ${columns[answers.length] ?? ''}`}>
        {answers.map((answer) => (
          <div key={answer.ask} className="min-w-0 rounded-[10px] border border-line bg-panel px-3.5 py-3">
            <Answer message={message} answer={answer} card />
          </div>
        ))}
      </div>
    </div>
  )
}

/** By the number of answers: rows are full, or the answers stand below one another. */
const columns: Record<number, string> = {
  2: '@min-[500px]:grid-cols-2',
  3: '@min-[760px]:grid-cols-3',
  4: '@min-[500px]:grid-cols-2',
  6: '@min-[500px]:grid-cols-2 @min-[760px]:grid-cols-3',
}
