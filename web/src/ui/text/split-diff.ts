/** Splits the output of `git diff` into files. */

export interface FileDiff {
  oldPath: string | null
  newPath: string | null
  status: 'added' | 'deleted' | 'renamed' | 'changed'
  isBinary: boolean
  /** The file's part as git wrote it, from its `---` line on; empty where there is nothing to show. */
  text: string
  added: number
  removed: number
}

export function splitDiff(diff: string): FileDiff[] {
  const parts = diff.split(/^(?=diff --git )/m).filter((part) => part.startsWith('diff --git '))
  return parts.map(fileOf)
}

function fileOf(part: string): FileDiff {
  const lines = part.split('\n')
  const bodyAt = lines.findIndex((line) => line.startsWith('@@ '))
  const head = bodyAt === -1 ? lines : lines.slice(0, bodyAt)
  const body = bodyAt === -1 ? [] : lines.slice(bodyAt)
  const value = (prefix: string) => head.find((line) => line.startsWith(prefix))?.slice(prefix.length)
  const [fromHeader, toHeader] = headerPaths(lines[0]!)
  const renamed = value('rename from ') !== undefined
  const isAdded = value('new file mode ') !== undefined
  const isDeleted = value('deleted file mode ') !== undefined
  const oldPath = value('rename from ') ?? pathIn(value('--- ')) ?? fromHeader
  const newPath = value('rename to ') ?? pathIn(value('+++ ')) ?? toHeader
  const added = body.filter((line) => line.startsWith('+')).length
  const removed = body.filter((line) => line.startsWith('-')).length
  return {
    oldPath: isAdded ? null : oldPath,
    newPath: isDeleted ? null : newPath,
    status: isAdded ? 'added' : isDeleted ? 'deleted' : renamed ? 'renamed' : 'changed',
    isBinary: head.some((line) => line.startsWith('Binary files ') || line.startsWith('GIT binary patch')),
    text: body.length === 0 ? '' : `--- ${oldPath}\n+++ ${newPath}\n${body.join('\n').replace(/\n+$/, '\n')}`,
    added,
    removed,
  }
}

/** `a/x b/x`, also where the path has blanks: both halves are the same then. */
function headerPaths(line: string): [string, string] {
  const rest = line.slice('diff --git '.length)
  const half = /^a\/(.+) b\/\1$/.exec(rest)
  if (half) return [half[1]!, half[1]!]
  const [from = '', to = ''] = rest.split(' b/')
  return [from.replace(/^a\//, ''), to]
}

function pathIn(value: string | undefined): string | undefined {
  if (value === undefined || value === '/dev/null') return undefined
  return value.replace(/^"?[ab]\//, '').replace(/"?\t?$/, '')
}

const languages: Record<string, string> = {
  ts: 'typescript',
  tsx: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  py: 'python',
  rs: 'rust',
  go: 'go',
  java: 'java',
  kt: 'kotlin',
  rb: 'ruby',
  php: 'php',
  c: 'c',
  h: 'c',
  cpp: 'cpp',
  cc: 'cpp',
  hpp: 'cpp',
  cs: 'csharp',
  swift: 'swift',
  css: 'css',
  scss: 'scss',
  html: 'xml',
  xml: 'xml',
  svg: 'xml',
  json: 'json',
  yaml: 'yaml',
  yml: 'yaml',
  md: 'markdown',
  sh: 'bash',
  sql: 'sql',
  toml: 'ini',
  lua: 'lua',
}

export function languageOf(path: string): string {
  return languages[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''] ?? 'plaintext'
}
