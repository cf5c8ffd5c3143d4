/** The answers to a message: one plain, or several as cards side by side. */
import type { Entry } from '../conversation/conversation-types.ts'
import { Answer } from './answer.tsx'

export function AnswersRow({ entry }: { entry: Extract<Entry, { kind: 'answers' }> }) {
  const { message, answers } = entry
  if (answers.length === 1 && message.decision?.mode !== 'parallel')
    return <Answer message={message} answer={answers[0]!} />
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(min(250px,100%),1fr))] gap-3.5">
      {answers.map((answer) => (
        <div key={answer.ask} className="min-w-0 rounded-[10px] border border-line bg-panel px-3.5 py-3">
          <Answer message={message} answer={answer} card />
        </div>
      ))}
    </div>
  )
}
