/** Agents and roles of the project: found, connected, tried and assigned; written to convene.yaml. */
import { useState } from 'react'
import { assignRoles, connectAgent, getSettings, type Settings } from '../data/calls/settings.ts'
import { useActions } from '../data/use-actions.ts'
import { useLoaded } from '../data/use-loaded.ts'
import { LoadingText } from '../ui/loading-text.tsx'
import { AgentList } from './agent-list.tsx'
import { Roles } from './roles.tsx'

export function AgentSettings() {
  const loaded = useLoaded('settings', getSettings)
  const [changed, setChanged] = useState<Settings | null>(null)
  const [connecting, setConnecting] = useState<string | null>(null)
  const { busy, problem, act } = useActions()
  if (loaded.state !== 'ready')
    return (
      <div data-testid="agents" className="mt-6">
        <LoadingText loaded={loaded} />
      </div>
    )
  const settings = changed ?? loaded.value
  const configured = settings.agents.filter(({ state }) => state !== 'off')
  const others = settings.agents.filter(({ state }) => state === 'off')
  const connect = async (id: string) => {
    setConnecting(id)
    await act(`connect ${id}`, async () => setChanged(await connectAgent(id)))
    setConnecting(null)
  }
  const assign = (roles: Record<string, string | null>) =>
    void act('assign', async () => setChanged(await assignRoles(roles)))
  return (
    <>
      {settings.restart ? (
        <p role="status" className="mt-4 rounded-lg bg-warn-soft px-3.5 py-2 text-small text-warn">
          {settings.file} has changed. Restart Convene to use it; runs continue where they were.
        </p>
      ) : null}
      {problem ? (
        <p role="alert" className="mt-4 rounded-lg bg-bad-soft px-3.5 py-2 text-small wrap-anywhere text-bad">
          {problem}
        </p>
      ) : null}
      <h2 className="mt-6 mb-2 text-title font-semibold">Agents</h2>
      <div data-testid="agents">
        {configured.length > 0 ? (
          <AgentList agents={configured} />
        ) : (
          <p className="text-ink-2">
            No agent is configured: two built-in rehearsal agents play a script, and no model is asked.
          </p>
        )}
      </div>
      {others.length > 0 ? (
        <>
          <h2 className="mt-7 mb-2 text-title font-semibold">Also on this machine</h2>
          <div data-testid="found-agents">
            <AgentList agents={others} connecting={connecting} onConnect={(id) => void connect(id)} />
          </div>
        </>
      ) : null}
      {configured.length > 0 ? (
        <>
          <h2 className="mt-7 mb-1 text-title font-semibold">Roles</h2>
          <p className="mb-2 text-small text-ink-2">
            Written to {settings.file}; comments there stay. Lists (panel, reviewers) are edited in the file.
          </p>
          <Roles settings={settings} isBusy={busy !== null} onAssign={assign} />
        </>
      ) : null}
    </>
  )
}
