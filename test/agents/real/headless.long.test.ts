/** The four real coding agents in their headless mode, each with an emulated model on loopback. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { code, expectExit, ofType, type Report, testFile } from '../../build/project.ts'
import { lastJson } from '../../support/convene.ts'
import { processesWith } from '../../support/processes.ts'
import { runResident } from '../../support/resident-command.ts'
import { clis } from './clis.ts'
import { bin, ending, homes, patience, reading, realProject, reason, writing } from './project.ts'
import { expectLoopbackAlone, traced } from './traced.ts'

const question = 'Which word is in secret.txt?'
const passed = { TestsPassed: { iterations: 1, passedTests: [] } }
const testText = testFile('inc', { 'inc: inc-1': 'assert.equal(inc(1), 2); assert.equal(inc(5), 6)' })

describe.skipIf(reason !== undefined)(reason ? `headless agents (${reason})` : 'headless agents', () => {
  it.each(clis)(
    '[AG6] $agent reads a file in a room, is refused what lies outside, reaches loopback alone, and its work is merged',
    patience,
    async (cli) => {
      const {
        project,
        minds,
        homes: places,
      } = await realProject({ coder: cli }, { files: { 'secret.txt': 'marzipan 4711\n' } })
      const config = JSON.parse(readFileSync(join(project.folder, 'convene.yaml'), 'utf8'))
      Object.assign(config.agents.coder, { headless: true, ...ownProgram(cli.agent) })
      project.write({ 'convene.yaml': JSON.stringify(config) })
      project.git('commit', '--quiet', '--all', '--message=headless')
      const mind = minds.coder!
      const answer = 'The word is marzipan.'
      // Most agents do not even offer their model a tool that writes.
      const inside = { ...writing(cli, 'left-behind.txt', 'no'), say: answer }
      mind.tasks.push({
        about: question,
        steps: [reading(cli, 'secret.txt'), inside, { say: answer }],
      })
      mind.failing = 1
      const ended = await runResident(['ask', question, '--to', 'coder', '--json'], { cwd: project.folder })
      expect(ended, ended.stderr).toMatchObject({ code: 0 })
      const { items } = lastJson<{ items: { sender: string; text: string }[] }>(ended)
      expect(items.find(({ sender }) => sender === 'coder')!.text.trim()).toMatch(/The word is marzipan\.$/)
      expect(mind.requests.some(({ text }) => text.includes('marzipan 4711'))).toBe(true)
      expect(project.git('status', '--porcelain')).toBe('')

      // Codex may write below /tmp, where the project is.
      const outside = join(homes, `headless-${cli.agent}-outside.txt`)
      const leaving = { tool: cli.write(outside, 'no').name, arguments: () => cli.write(outside, 'no').arguments }
      const work = [writing(cli, 'src/inc.js', code('inc')), writing(cli, 'test/inc.test.js', testText)]
      mind.tasks.push({ about: '# Build inc', steps: [...work, leaving, ...ending(passed)] })
      const built = await traced(['build', 'spec.json', '--strategy', 'solo', '--merge', '--json'], project.folder)
      const report = lastJson<Report>(built)
      expectExit({ ...built, report }, 0)
      expect(report).toMatchObject({ merged: true })
      expectLoopbackAlone(built)
      expect(project.read('main', 'src/inc.js')).toContain('value + 1')
      expect(existsSync(outside)).toBe(false)
      expect(ofType(await project.events(), 'tool.used').length).toBeGreaterThan(2)
      await expect.poll(() => processesWith('HOME', places.coder!)).toEqual([])
    },
  )
})

/** The adapter brings Claude Code along without putting it on the PATH. */
function ownProgram(agent: string): { command?: string[] } {
  if (agent !== 'claude-code') return {}
  const vendor = join(bin, '../@anthropic-ai')
  const folder = readdirSync(vendor).find((name) => /^claude-agent-sdk-.*(?:x64|arm64)$/.test(name))
  return { command: [join(vendor, folder ?? '', 'claude')] }
}
