/** Agents and their roles, how to connect more, and appearance. */
import { Link } from 'wouter'
import { useMe } from '../data/calls/use-me.ts'
import { useWatched } from '../data/watched.ts'
import { chooseTheme, type ThemeChoice, themeChoice } from '../ui/theme.ts'
import { AgentSettings } from './agent-settings.tsx'
import { ConnectAgents } from './connect-agents.tsx'
import { OtherTools } from './other-tools.tsx'

const themes: { choice: ThemeChoice; label: string }[] = [
  { choice: 'system', label: 'System' },
  { choice: 'light', label: 'Light' },
  { choice: 'dark', label: 'Dark' },
]

export function SettingsPage() {
  const theme = useWatched(themeChoice)
  const me = useMe()
  return (
    <main className="min-h-0 flex-1 overflow-auto">
      <div className="mx-auto max-w-[720px] px-4 py-6 md:px-6">
        <h1 className="text-large font-semibold">Settings</h1>
        <AgentSettings />
        <h2 className="mt-7 mb-2 text-title font-semibold">Connect another agent</h2>
        <ConnectAgents />
        <h2 className="mt-7 mb-2 text-title font-semibold">Use Convene in other tools</h2>
        <OtherTools />
        {me?.shared ? (
          <>
            <h2 className="mt-7 mb-2 text-title font-semibold">Team</h2>
            <p className="text-ink-2">
              <Link href="/team" className="text-accent underline underline-offset-2">
                See the processes that work on this project
              </Link>
              {me.role === 'owner' ? ' and what people did here.' : '.'}
            </p>
          </>
        ) : null}
        <h2 className="mt-7 mb-2 text-title font-semibold">Appearance</h2>
        <div
          role="radiogroup"
          aria-label="Appearance"
          className="inline-flex overflow-hidden rounded-lg border border-line text-small"
        >
          {themes.map(({ choice, label }) => (
            <label
              key={choice}
              className="px-3 py-1 text-ink-2 not-first:border-l not-first:border-line has-checked:bg-accent-soft has-checked:font-medium has-checked:text-accent has-focus-visible:outline-2 has-focus-visible:outline-accent"
            >
              <input
                type="radio"
                name="theme"
                className="sr-only"
                checked={theme === choice}
                onChange={() => chooseTheme(choice)}
              />
              {label}
            </label>
          ))}
        </div>
      </div>
    </main>
  )
}
