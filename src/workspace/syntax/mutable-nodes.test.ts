import { describe, expect, it } from 'vitest'
import { mutableNodes } from './mutable-nodes.ts'

async function places(file: string, text: string) {
  const nodes = await mutableNodes(file, Buffer.from(text))
  return nodes?.map(({ kind, line, text, beginning }) => [kind, line, text, ...(beginning ? [beginning] : [])])
}

describe('places that can be mutated', () => {
  it('[VF12] are conditions, results and comparisons', async () => {
    const text = `export function grade(points, name) {
  if (points >= 10) return 'good'
  else if (!name) return
  const short = points === 1 ? 'one' : 'many' // ä
  return (\`\${short} for \${name}\`)
}
export const twice = (list) => list.map((one) => ({ one }))
`
    expect(await places('src/grade.ts', text)).toEqual([
      ['condition', 2, 'points >= 10'],
      ['comparison', 2, '>='],
      ['result', 2, "'good'"],
      ['condition', 3, '!name'],
      ['condition', 4, 'points === 1'],
      ['comparison', 4, '==='],
      ['result', 5, `\`\${short} for \${name}\``],
      ['result', 7, 'list.map((one) => ({ one }))'],
      ['result', 7, '{ one }'],
    ])
  })

  it('[VF12] know the fixed text that a result begins with', async () => {
    const text = `const a = (name) => 'Hello, ' + name + '!'\nconst b = (name) => \`Hi, \${name}\`\nconst c = () => 'x'\n`
    expect(await places('a.js', text)).toEqual([
      ['result', 1, "'Hello, ' + name + '!'", "'Hello, '"],
      ['result', 2, `\`Hi, \${name}\``, '`Hi, `'],
      ['result', 3, "'x'"],
    ])
  })

  it('[VF12] are found in Python, and where characters take several bytes', async () => {
    const text = `def grade(points):
    """é"""
    if points < 10 and points != 3:
        return "ü: " + str(points)
    elif points > 20:
        return None
    return "a" if points else "b"
`
    expect(await places('grade.py', text)).toEqual([
      ['condition', 3, 'points < 10 and points != 3'],
      ['comparison', 3, '<'],
      ['comparison', 3, '!='],
      ['result', 4, '"ü: " + str(points)', '"ü: "'],
      ['condition', 5, 'points > 20'],
      ['comparison', 5, '>'],
      ['result', 6, 'None'],
      ['result', 7, '"a" if points else "b"'],
      ['condition', 7, 'points'],
    ])
  })

  it('[VF12] are unknown without a grammar, or where the text does not parse', async () => {
    expect(await places('a.go', 'func a() { return 1 }')).toBeUndefined()
    expect(await places('a.js', 'function {')).toBeUndefined()
    expect(await places('a.d.ts', 'export const a: 1')).toBeUndefined()
    expect(await mutableNodes('a.js', Buffer.from([0xff, 0xfe]))).toBeUndefined()
  })
})
