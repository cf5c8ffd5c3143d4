/** Prints the results of testing the sandbox. */
import { styleText } from 'node:util'
import type { SandboxProof } from '../../build/sandbox-proof.ts'

export function renderProof({ sandbox, why, fix, promises }: SandboxProof, { color }: { color: boolean }): string {
  const paint = (style: 'green' | 'red', text: string) =>
    color ? styleText(style, text, { validateStream: false }) : text
  if (promises.length === 0) return `${paint('red', 'No sandbox:')} ${why ?? 'none was found'}. ${fix ?? ''}`.trim()
  const width = Math.max(...promises.map(({ name }) => name.length))
  const lines = promises.map(
    ({ name, holds, detail }) =>
      `  ${holds ? paint('green', '✓') : paint('red', '✗')} ${name.padEnd(width)}  ${detail}`,
  )
  const broken = promises.filter(({ holds }) => !holds).length
  const verdict =
    sandbox === null
      ? paint('red', 'Commands run without a sandbox (build.sandbox: off).')
      : broken === 0
        ? paint('green', `Every promise holds (${sandbox}).`)
        : paint('red', `${broken} ${broken === 1 ? 'promise does' : 'promises do'} not hold (${sandbox}).`)
  return ['A command that an agent wrote', ...lines, '', verdict].join('\n')
}
