/** The settings page: agents that were found are connected, tried and given roles, and convene.yaml is written. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { Emulator } from '../agents/emulator.ts'
import { eventually, inBrowser, openPage } from '../support/browser.ts'
import { temporaryFolder } from '../support/convene.ts'
import { serve } from '../support/server.ts'
import { textOf } from './room-page.ts'
import { nameless, sideways } from './screen-checks.ts'

const emulator = new Emulator()
beforeAll(async () => {
  await emulator.start()
  emulator.mock.on({ predicate: () => true }, { content: 'ready' })
  return () => emulator.stop()
})

/** A machine with a Codex that is ready and a Gemini CLI that nobody has logged in to. */
async function serveMachine() {
  const bin = temporaryFolder({
    codex: '#!/bin/sh\necho codex-cli 0.169.0\n',
    'codex-acp': '#!/bin/sh\nexit 1\n',
    gemini: '#!/bin/sh\necho 0.61.0\n',
  })
  for (const program of ['codex', 'codex-acp', 'gemini']) chmodSync(join(bin, program), 0o755)
  mkdirSync(join(bin, '.codex'))
  writeFileSync(join(bin, '.codex/auth.json'), '{}')
  const base = emulator.baseUrl('openai-compatible')
  const yaml = `agents:
  # on this machine
  local: { provider: openai-compatible, model: llama3.3, base_url: "${base}" }
`
  const folder = temporaryFolder({ 'convene.yaml': yaml })
  const served = await serve({}, { folder, env: { PATH: bin, HOME: bin } })
  return { served, text: () => readFileSync(join(folder, 'convene.yaml'), 'utf8') }
}

inBrowser('the settings page', () => {
  it('connects a found agent, tries one after saying the cost, and assigns roles', async () => {
    const { served, text } = await serveMachine()
    const { page } = await openPage(served, { path: '/settings' })
    const agents = page.getByTestId('agents')
    const found = page.getByTestId('found-agents')
    await eventually(() => textOf(agents)).toMatch(/local[\s\S]*llama3\.3[\s\S]*ready/)
    expect(await textOf(found)).toMatch(/codex[\s\S]*Codex[\s\S]*gemini-cli[\s\S]*nobody is logged in/)

    await page.getByRole('button', { name: 'Try local' }).click()
    await eventually(() => textOf(agents)).toMatch(/Asking local one tiny question.*about 50 tokens/)
    const before = emulator.sent.length
    await page.getByRole('button', { name: 'Ask local' }).click()
    await eventually(() => textOf(agents)).toContain('answered "ready"')
    expect(emulator.sent.length - before).toBe(1)

    await page.getByRole('button', { name: 'Connect Codex' }).click()
    await eventually(() => textOf(agents)).toMatch(/codex[\s\S]*0\.169\.0/)
    await page.getByText('Restart Convene to use it').waitFor()
    await page.getByRole('button', { name: 'Use suggested roles' }).click()
    const role = (name: string) => page.getByRole('combobox', { name, exact: true })
    await eventually(() => role('Implementer').inputValue()).toBe('codex')
    await eventually(() => role('Reviewer').inputValue()).toBe('local')
    await role('Proposer').selectOption('local')
    await eventually(text).toMatch(
      /^agents:\n {2}# on this machine\n {2}local: [\s\S]*codex: \{ provider: acp, agent: codex \}\nroles:\n {2}impl: codex\n {2}reviewer: local\n {2}proposer: local\n$/,
    )
    expect(await nameless(page)).toEqual([])
    expect(await sideways(page)).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'Try codex' }).click()
    expect(await sideways(page)).toEqual([])
    // Its adapter ends at once: what a trial shows outranks what was found.
    const codex = agents.locator('[data-agent=codex]')
    expect(await textOf(codex)).toContain('ready')
    await page.getByRole('button', { name: 'Ask codex' }).click()
    await eventually(() => textOf(codex)).toMatch(/cannot be asked[\s\S]*before it was ready/)
  })
})
