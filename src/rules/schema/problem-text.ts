import type { Problem } from './problem.ts'

/** A problem in words. Its file stands in front, unless the message begins with it. VF8. */
export function problemText({ path, message }: Pick<Problem, 'path' | 'message'>): string {
  return path === undefined || path === '' || message.startsWith(path) ? message : `${path}: ${message}`
}
