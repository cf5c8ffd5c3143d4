import { describe, expect, it } from 'vitest'
import type { AgentReport } from '../../agents/detect/agent-reports.ts'
import type { Check, Diagnosis } from './doctor.ts'
import { renderDoctor } from './render-doctor.ts'

const node: Check = { section: 'basics', name: 'Node', state: 'ok', detail: '24.1.0', needed: true }
const git: Check = {
  section: 'basics',
  name: 'git',
  state: 'missing',
  detail: 'git is not on the PATH',
  fix: 'brew install git',
  needed: true,
}
const sandbox: Check = {
  section: 'building',
  name: 'sandbox',
  state: 'missing',
  detail: 'x'.repeat(90),
  fix: 'brew install ripgrep',
  needed: false,
}
const gpt: AgentReport = {
  name: 'gpt',
  provider: 'openai',
  state: 'missing',
  detail: 'KEY is not set',
  fix: 'export KEY=<your key>',
}
const codex: AgentReport = { name: 'codex', provider: 'acp', state: 'off', detail: 'Codex 1.4 is installed' }

const render = (diagnosis: Partial<Diagnosis>, color = false) =>
  renderDoctor({ ready: false, agents: [], checks: [], ...diagnosis }, { color })

describe('renderDoctor', () => {
  it('shows what can be used, what cannot, and the line that fixes it', () => {
    expect(render({ agents: [gpt, codex], checks: [node, git, sandbox] })).toBe(`Basics
  ✓ Node     24.1.0
  ✗ git      git is not on the PATH  → brew install git

Agents
  ✗ gpt      KEY is not set  → export KEY=<your key>

Building
  ○ sandbox  ${'x'.repeat(90)}
             → brew install ripgrep

More on this machine
  ○ codex    Codex 1.4 is installed

Not ready. Fix: git, gpt`)
  })

  it('breaks long lines where the terminal ends, and never the line that fixes something', () => {
    const long: Check = { ...git, detail: 'one two three four', fix: 'brew install --with-a-long-name git' }
    const checks = [long]
    expect(renderDoctor({ ready: false, agents: [], checks }, { color: false, columns: 30 })).toBe(`Basics
  ✗ git  one two three four
         → brew install --with-a-long-name git

Not ready. Fix: git`)
    const words = { ...long, detail: 'a detail of several words that is longer' }
    expect(renderDoctor({ ready: false, agents: [], checks: [words] }, { color: false, columns: 40 })).toContain(
      '  ✗ git  a detail of several words that\n         is longer\n         → brew',
    )
  })

  it('is ready when only optional things are missing, and says what is left to fix', () => {
    const claude: AgentReport = { name: 'claude', provider: 'anthropic', state: 'ok', detail: '' }
    expect(render({ ready: true, agents: [claude], checks: [node, sandbox] })).toMatch(/\nReady\.$/)
    expect(render({ ready: true, agents: [claude, gpt], checks: [node] })).toMatch(/\nReady\. Still to fix: gpt$/)
  })

  it('[VF9] is not called ready where no build starts, and says why', () => {
    const claude: AgentReport = { name: 'claude', provider: 'anthropic', state: 'ok', detail: '' }
    const tests: Check = { ...sandbox, name: 'tests', state: 'broken', stops_builds: true }
    expect(render({ ready: true, agents: [claude, gpt], checks: [node, tests] })).toMatch(
      /\nReady to talk and plan\. No build starts until this is fixed: tests\. Still to fix: gpt$/,
    )
    expect(render({ agents: [gpt], checks: [node, tests] })).toMatch(/\nNot ready\. Fix: tests, gpt$/)
  })

  it('says so when every usable agent plays a script', () => {
    const actor: AgentReport = { name: 'actor', provider: 'rehearsal', state: 'ok', detail: '' }
    expect(render({ ready: true, agents: [actor], checks: [node] })).toMatch(/no model is asked/)
  })

  it('prints the same text with and without colour', () => {
    const diagnosis = { agents: [gpt, codex], checks: [node, git, sandbox] }
    const coloured = render(diagnosis, true)
    const escapes = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g')
    expect(coloured).toMatch(escapes)
    expect(coloured.replace(escapes, '')).toBe(render(diagnosis))
  })

  it('keeps each finding on one line whatever its text contains', () => {
    const hostile = { ...node, detail: `a\nb\tc${String.fromCharCode(27)}[2J` }
    expect(render({ checks: [hostile] })).toContain('Node  a b c')
  })
})
