/** Attempts that lie, one after the other in one build, and the truth at the end. */
import { expect } from 'vitest'
import { type Line, ofType, type Project } from '../build/project.ts'

export interface Lie {
  files: Record<string, string>
  /** The rule that refuses it. */
  rule: string
  /** What the next ask says about it. */
  says?: string
}

export const passed = { TestsPassed: { iterations: 1, passedTests: ['inc: inc-1'] } }

/** Each lie is an attempt, and puts back what the lie before it changed: to `base`, or away. The truth comes last. */
export function attempts(lies: Lie[], truth: Line['files'], base: Record<string, string> = {}): Line[] {
  const removed = (files: Lie['files'] = {}) =>
    Object.fromEntries(Object.keys(files).map((path) => [path, base[path] ?? null]))
  const line = (files: Line['files'], index: number): Line => {
    const before = lies[index - 1]
    return {
      when: { ask: 'implement', node: 'inc', attempt: index + 1, ...(before?.says ? { contains: before.says } : {}) },
      files: { ...removed(before?.files), ...files },
      reply: passed,
    }
  }
  return [...lies.map(({ files }, index) => line(files, index)), line(truth, lies.length)]
}

/** Every lie was refused once, in order, under its rule. */
export async function expectCaught(project: Project, lies: Lie[]): Promise<void> {
  const refused = ofType(await project.events(), 'reply.refused').filter(({ kind }) => kind === 'implement')
  const found = refused.map(({ problems }) => (problems as { rule: string; message: string }[]).map(inWords))
  expect(found).toEqual(
    lies.map(({ rule, says = '' }) => expect.arrayContaining([expect.stringMatching(caught(rule, says))])),
  )
}

const inWords = ({ rule, message }: { rule: string; message: string }) => `[${rule}] ${message}`
const caught = (rule: string, says: string) => new RegExp(`^\\[${rule}\\][^]*${RegExp.escape(says)}`)
