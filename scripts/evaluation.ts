/** What the measuring commands share: their errors, and reading a file of one JSON object a line. */
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { z } from 'zod'
import { oneLine } from '../src/rules/text/one-line.ts'

/** Something that the person who typed the command can put right. */
export class EvaluationError extends Error {}

/** Each line with its place, empty ones left out. */
export function rowsOf<Row extends z.ZodType>(file: string, schema: Row): { row: z.infer<Row>; where: string }[] {
  return readLines(file).flatMap((line, index) => {
    const where = `${file}:${index + 1}`
    return line.trim() === '' ? [] : [{ row: parseRow(line, where, schema), where }]
  })
}

function parseRow<Row extends z.ZodType>(line: string, where: string, schema: Row): z.infer<Row> {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    throw new EvaluationError(`${where}: not JSON: ${oneLine(line, 60)}`)
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]!
  throw new EvaluationError(`${where}: ${[issue.path.join('.'), issue.message].filter(Boolean).join(': ')}`)
}

/** Relative paths start at the folder where the command was typed, which under npm is not the working directory. */
function readLines(file: string): string[] {
  const typedIn = process.env.INIT_CWD
  const path = !existsSync(file) && typedIn ? resolve(typedIn, file) : file
  try {
    return readFileSync(path, 'utf8').split('\n')
  } catch (error) {
    throw new EvaluationError(`cannot read ${file}: ${error instanceof Error ? error.message : String(error)}`)
  }
}
