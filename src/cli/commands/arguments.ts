/** Validates arguments of the command line. */
import { ConveneError } from '../../kernel/errors.ts'

export function wholeNumber(
  text: string | undefined,
  name: string,
  range: { min?: number; max?: number } = {},
): number | undefined {
  if (text === undefined) return undefined
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = range
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  const expected =
    max === Number.MAX_SAFE_INTEGER ? `a whole number, at least ${min}` : `a whole number from ${min} to ${max}`
  throw new ConveneError('usage', `${name} is '${text}', which is not ${expected}`, { path: name, expected })
}

/** Why a file given as an argument cannot be used, in words. */
export function fileProblem(error: unknown): string {
  const { code, syscall, message } = error as NodeJS.ErrnoException
  if (syscall === undefined) return message.split('\n')[0]!
  return code === 'ENOENT' ? 'no such file' : `cannot be read (${code})`
}
