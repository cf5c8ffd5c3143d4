/** The project's agents: provider, model, and whether they are real. */
import type { Agent } from '../data/calls/rooms.ts'
import { AgentName, Avatar } from '../ui/avatar.tsx'
import { Chip } from '../ui/chip.tsx'

export function AgentsTable({ agents }: { agents: Agent[] }) {
  return (
    <div className="overflow-x-auto rounded-[10px] border border-line bg-panel">
      <table data-testid="agents" className="w-full text-small">
        <thead>
          <tr className="text-left text-ink-3 [&>th]:px-3.5 [&>th]:py-2 [&>th]:font-medium max-[759px]:[&>th]:px-2.5">
            <th scope="col">Name</th>
            <th scope="col">Provider</th>
            <th scope="col">Model</th>
            <th scope="col">Answers</th>
          </tr>
        </thead>
        <tbody>
          {agents.map((agent) => (
            <tr key={agent.name} className="border-t border-line [&>td]:px-3.5 [&>td]:py-2 max-[759px]:[&>td]:px-2.5">
              <td>
                <span className="flex items-center gap-2">
                  <Avatar name={agent.name} small />
                  <AgentName name={agent.name} />
                </span>
              </td>
              <td className="wrap-anywhere">{agent.provider}</td>
              <td className="numbers wrap-anywhere">{agent.model ?? '–'}</td>
              <td>{agent.rehearsal ? <Chip tone="warn">rehearsal</Chip> : <Chip tone="ok">real</Chip>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
