/**
 * The hook for Claude Code's prompts: a suggestion if the prompt is about planning and the rule has one, else nothing;
 * it never fails.
 */
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assessRisk } from '../../src/rules/plan/risk.ts'
import { root, temporaryFolder } from '../support/convene.ts'

const script = join(root, 'hooks/plan-hint.mjs')

function hook(input: string, file = script): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file])
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (chunk) => {
      said[name] += chunk
    })
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, ...said })))
}

const prompt = (words: string) =>
  JSON.stringify({ session_id: 's', hook_event_name: 'UserPromptSubmit', prompt: words })

describe('plan-hint', () => {
  it.each([
    ['Plan the oauth migration of billing', 'complete'],
    ['Please break down the login with jwt', 'advanced'],
    ['Design a quick prototype of the page', 'rapid'],
  ])('[RK2] %s → %s, in the words of the rule', async (words, mode) => {
    const { code, stdout, stderr } = await hook(prompt(words))
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain(assessRisk(words).suggestion!.message)
    expect(stdout).toContain(`--mode ${mode}`)
    expect(stdout).not.toMatch(/preset|security_focused/)
    expect(stdout.trim().split('\n')).toHaveLength(1)
  })

  it.each([
    ['nothing about planning', prompt('Why does the oauth login to production fail?')],
    ['planning without a sign', prompt('Plan the new footer')],
    ['a word that only looks like it', prompt('Explain the planet and its oauth')],
    ['nothing', ''],
    ['no JSON', 'plan the oauth migration'],
    ['no prompt', '{"cwd":"/"}'],
    ['a prompt that is no text', '{"prompt":["plan oauth"]}'],
    ['null', 'null'],
    ['a megabyte', prompt('word '.repeat(200_000))],
  ])('[RK2] prints nothing and succeeds: %s', async (_, input) => {
    expect(await hook(input)).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  it('[RK2] a broken installation does not fail the prompt', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'hooks'))
    writeFileSync(join(folder, 'hooks/plan-hint.mjs'), readFileSync(script))
    const { code, stdout } = await hook(
      prompt('Plan the oauth migration of billing'),
      join(folder, 'hooks/plan-hint.mjs'),
    )
    expect([code, stdout]).toEqual([0, ''])
  })

  it('[RK2] runs from the package too, where the rule is JavaScript', async () => {
    const folder = temporaryFolder()
    cpSync(join(root, 'hooks'), join(folder, 'hooks'), { recursive: true })
    mkdirSync(join(folder, 'dist/rules/plan'), { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    writeFileSync(
      join(folder, 'dist/rules/plan/risk.js'),
      "export const assessRisk = () => ({ flags: [], suggestion: { mode: 'rapid', message: 'from the package' } })\n",
    )
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    expect((await hook(prompt('plan it'), join(folder, 'hooks/plan-hint.mjs'))).stdout).toContain('from the package')
    expect(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).files).toContain('hooks')
  })
})
