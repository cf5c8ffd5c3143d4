/** The sandbox of a user without privileges, whose PATH has a folder that this user may not read. */
import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { SandboxProof } from '../../src/build/sandbox-proof.ts'

it('[TR8] keeps its promises for an ordinary user, or says why there is none', () => {
  const root = mkdtempSync(join(tmpdir(), 'unprivileged-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  chmodSync(root, 0o755)
  const [home, project, locked] = ['home', 'project', 'locked'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ]
  for (const folder of [home, project, join(locked, 'bin')]) mkdirSync(folder, { recursive: true })
  writeFileSync(join(home, '.bashrc'), 'export KEY=private')
  writeFileSync(join(project, '.env'), 'KEY=private')
  if (process.getuid?.() === 0) for (const path of [home, project, join(home, '.bashrc')]) chownSync(path, 65534, 65534)
  chmodSync(locked, 0o700)
  const program = join(import.meta.dirname, 'unprivileged-sandbox-program.ts')
  const path = `${locked}/bin:${process.env.PATH}`
  const output = execFileSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', program, project, home, path],
    {
      encoding: 'utf8',
      cwd: root,
    },
  )
  const proof = JSON.parse(output) as SandboxProof
  // Some machines forbid user namespaces to ordinary users; then nothing is promised, and that is said.
  if (proof.sandbox === null) return expect(proof.why).toMatch(/bubblewrap|sandbox/)
  const broken = proof.promises.filter(({ holds }) => !holds)
  // This user may not be able to start the Node that runs the tests.
  expect(broken.filter(({ detail }) => !detail.startsWith('the attempt did not run'))).toEqual([])
})
