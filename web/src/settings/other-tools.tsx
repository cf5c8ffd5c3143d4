/** How to use this project from other AI tools: the lines to copy. */
import { Block } from './connect-agents.tsx'

export function OtherTools() {
  const { origin } = window.location
  const stdio = 'claude mcp add convene -- convene mcp'
  const http = `claude mcp add --transport http convene ${origin}/mcp \\
  --header "Authorization: Bearer $(cat .convene/token)"`
  return (
    <div className="space-y-3 text-ink-2">
      <p>
        Claude Code, Codex, Gemini CLI, Cursor and other MCP clients can ask, plan and ship here. Run one of these in
        the project's folder; <code className="numbers">docs/mcp.md</code> has the lines for other tools.
      </p>
      <Block text={stdio} label="Copy the command" />
      <p>Or connect to this server while it runs:</p>
      <Block text={http} label="Copy the command for this server" />
    </div>
  )
}
