/** Finds the file of the project in which a test's error was thrown. */
import { isAbsolute, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Relative to the project. Undefined without a trace, and if the error was thrown outside the project. */
export function thrownIn(failure: string | undefined, folder: string): string | undefined {
  const files = frames(failure ?? '').flatMap((file) => inProject(file, folder) ?? [])
  return files[0]
}

/** Innermost first. Python prints the innermost frame last. */
function frames(text: string): string[] {
  const script = [...text.matchAll(/^\s*(?:at |❯ )(?:.*?\()?((?:file:\/\/)?[^\s():]+):\d+(?::\d+)?\)?\s*$/gm)]
  const loading = [...text.matchAll(/^(file:\/\/\/[^\n]+?|\/[^\n:]+?\.[cm]?[jt]sx?):\d+$/gm)]
  const python = [...text.matchAll(/^\s*File "([^"]+)", line \d+/gm)].toReversed()
  const pytest = [...text.matchAll(/^([^\s:]+\.py):\d+: \w*(?:Error|Exception)?/gm)].toReversed()
  const rust = [...text.matchAll(/panicked at ([^\s:]+):\d+:\d+/g)]
  return [...loading, ...script, ...python, ...pytest, ...rust].map(([, file]) => file!)
}

function inProject(file: string, folder: string): string | undefined {
  if (file.startsWith('node:')) return undefined
  const path = relative(folder, resolve(folder, file.startsWith('file://') ? pathOf(file) : file))
  const isInside = path !== '' && !path.startsWith('..') && !isAbsolute(path)
  return isInside && !/(?:^|\/)(?:node_modules|site-packages|\.venv)\//.test(path) ? path : undefined
}

function pathOf(url: string): string {
  try {
    return fileURLToPath(url)
  } catch {
    return url.replace(/^file:\/\//, '')
  }
}
