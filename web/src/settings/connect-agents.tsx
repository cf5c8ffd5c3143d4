/** How to connect real agents: two commands, or a few lines of configuration. */
import { CopyButton } from '../ui/copy-button.tsx'

const commands = `export ANTHROPIC_API_KEY=…
convene serve`

const configuration = `agents:
  # or claude-code, gemini-cli, opencode
  coder:  { provider: acp, agent: codex }
  claude: { provider: anthropic } # ANTHROPIC_API_KEY
  gpt:    { provider: openai }    # OPENAI_API_KEY
  gemini: { provider: google }    # GOOGLE_GENERATIVE_AI_API_KEY
  local:
    provider: openai-compatible
    model: llama3.3
    base_url: http://localhost:11434/v1`

export function ConnectAgents() {
  return (
    <div className="space-y-3 text-ink-2">
      <p>
        Set the key of a model, or install and log in to a coding agent (Claude Code, Codex, Gemini CLI, opencode), and
        restart the server: what it finds appears above. Convene reads keys from the environment and never stores them.
      </p>
      <Block text={commands} label="Copy the commands" />
      <p>
        Or list them yourself in <code className="numbers">convene.yaml</code>.{' '}
        <code className="numbers">convene doctor</code> shows which agents are usable and how to fix the rest.
      </p>
      <Block text={configuration} label="Copy the configuration" />
    </div>
  )
}

/** Lines to copy. */
export function Block({ text, label }: { text: string; label: string }) {
  return (
    <div className="flex items-start rounded-lg border border-line bg-sunken">
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, also by keyboard
        tabIndex={0}
        className="numbers min-w-0 flex-1 overflow-x-auto rounded-lg py-2.5 pl-3.5 text-small text-ink"
      >
        {text}
      </pre>
      <CopyButton text={text} label={label} className="m-1.5 shrink-0" />
    </div>
  )
}
