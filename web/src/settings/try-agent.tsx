/** Asks an agent one tiny question, after saying what that costs. */
import { type ReactNode, useState } from 'react'
import { type AgentState, tryAgent } from '../data/calls/settings.ts'
import { useActions } from '../data/use-actions.ts'
import { Button } from '../ui/button.tsx'

interface TryAgentProps {
  agent: AgentState
  cost: string
  /** The agent's row, with the button that begins it and the state that the answer showed. */
  row(action: ReactNode, tried: AgentState['state'] | undefined): ReactNode
}

export function TryAgent({ agent: { name }, cost, row }: TryAgentProps) {
  const [isAsked, setAsked] = useState(false)
  const [answer, setAnswer] = useState<AgentState | null>(null)
  const { busy, problem, act } = useActions()
  const begin = () => {
    setAnswer(null)
    setAsked(true)
  }
  const ask = async () => {
    await act('try', async () => setAnswer(await tryAgent(name)))
    setAsked(false)
  }
  return (
    <>
      {row(
        <Button aria-label={`Try ${name}`} aria-expanded={isAsked} disabled={isAsked} onClick={begin}>
          Try it
        </Button>,
        answer?.state,
      )}
      <div role="status" className="mr-3.5 ml-[43px] wrap-anywhere not-empty:mb-2.5">
        {isAsked ? (
          <div className="rounded-lg border border-line bg-sunken px-3 py-2 text-ink-2">
            <p className="mb-2">{cost}</p>
            <div className="flex gap-2">
              <Button weight="primary" disabled={busy !== null} onClick={() => void ask()}>
                {busy ? 'Asking…' : `Ask ${name}`}
              </Button>
              <Button weight="quiet" disabled={busy !== null} onClick={() => setAsked(false)}>
                Cancel
              </Button>
            </div>
          </div>
        ) : null}
        {answer ? (
          <p className={answer.state === 'ok' ? 'text-ok' : 'text-bad'}>
            {answer.detail}
            {answer.fix ? ` → ${answer.fix}` : ''}
          </p>
        ) : null}
        {problem ? <p className="text-bad">{problem}</p> : null}
      </div>
    </>
  )
}
