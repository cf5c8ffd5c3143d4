/** Finds the first program of a shell command that is not installed, as far as the text of the command tells. */
import { isAbsolute, join } from 'node:path'
import type { Machine } from './machine.ts'

/**
 * Programs by relative path are looked for in `folder`; leave it out where a set-up command may create them (`.venv/bin/pytest`).
 * What a shell expands (`$TOOL`, `$(which x)`) cannot be checked and passes.
 */
export function missingProgram(command: string, machine: Machine, folder?: string): string | undefined {
  return programsOf(command).find((program) => {
    if (!program.includes('/')) return machine.find(program) === undefined
    if (isAbsolute(program)) return !machine.exists(program)
    return folder !== undefined && !/\bcd\s/.test(command) && !machine.exists(join(folder, program))
  })
}

/** The first word of each simple command, without assignments, keywords and what is built into the shell. */
function programsOf(command: string): string[] {
  if (/[`]|\$\(|<<|\bcase\b|\bfor\b/.test(command)) return []
  return withoutQuotesAndRedirections(command)
    .split(/&&|\|\||[;|&\n]/)
    .flatMap((part) => {
      const words = part.trim().split(/\s+/)
      const program = words.find((word) => !/^(?:\w+=.*|[({!]+|)$/.test(word) && !keywords.has(word))
      return program === undefined ? [] : [program.replace(/^[({]+|[)}]+$/g, '')]
    })
    .filter((program) => /^[\w./+@-]+$/.test(program) && !builtins.has(program))
}

/** Quoted text is an argument; a quoted program is left out of the check. Redirections name files. */
function withoutQuotesAndRedirections(command: string): string {
  return command.replace(/'[^']*'|"(?:\\.|[^"\\])*"/g, '"').replace(/\d*&?[<>]+&?\s*\S+/g, '')
}

const keywords = new Set(['if', 'then', 'else', 'elif', 'while', 'until', 'do', 'exec', 'time', 'command', 'env'])
const builtins = new Set(
  '. : [ alias cd done echo eval exit export false fi printf pwd read return set shift source test trap true type ulimit umask unset wait'.split(
    ' ',
  ),
)
