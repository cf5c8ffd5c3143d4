/** Which agent does what, by drop-down. */
import type { Settings } from '../data/calls/settings.ts'
import { Button } from '../ui/button.tsx'

interface RolesProps {
  settings: Settings
  isBusy: boolean
  onAssign(roles: Record<string, string | null>): void
}

const names: Record<string, string> = {
  proposer: 'Proposer',
  summariser: 'Summariser',
  coordinator: 'Coordinator',
  scaffold: 'Designer',
  tdd: 'Test author',
  impl: 'Implementer',
  reviewer: 'Reviewer',
  merger: 'Merger',
  rebaser: 'Rebaser',
}

export function Roles({ settings: { agents, roles, suggested }, isBusy, onAssign }: RolesProps) {
  const configured = agents.filter(({ state }) => state !== 'off').map(({ name }) => name)
  const differs = Object.entries(suggested).some(
    ([role, agent]) => roles.find((each) => each.role === role)?.agent !== agent,
  )
  return (
    <>
      <div className="overflow-hidden rounded-[10px] border border-line bg-panel text-small">
        {roles.map(({ role, about, agent }) => (
          <label
            key={role}
            className="flex items-center gap-3 px-3.5 py-2 not-first:border-t not-first:border-line max-[759px]:px-3"
          >
            <span className="min-w-0 flex-1">
              <span className="block font-medium">{names[role] ?? role}</span>
              <span className="block text-ink-3">{about}</span>
            </span>
            <select
              aria-label={names[role] ?? role}
              value={agent ?? ''}
              disabled={isBusy}
              onChange={({ target }) => onAssign({ [role]: target.value === '' ? null : target.value })}
              className="h-[30px] w-40 shrink-0 rounded-lg border border-line bg-panel px-1.5 text-ink max-[759px]:w-34"
            >
              <option value="">Convene picks</option>
              {configured.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        ))}
      </div>
      {differs ? (
        <div className="mt-2.5 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-small text-ink-2">
          <Button disabled={isBusy} onClick={() => onAssign(suggested)}>
            Use suggested roles
          </Button>
          <span>
            {Object.entries(suggested)
              .map(([role, agent]) => `${names[role] ?? role}: ${agent}`)
              .join(', ')}
          </span>
        </div>
      ) : null}
    </>
  )
}
