/** Reads what a message attaches: files named in its text by `@path`, files it lists, and text it carries. RD15. */
import { realpath, stat } from 'node:fs/promises'
import { posix } from 'node:path'
import { readText } from '../../agents/tools/text-file.ts'
import { locate } from '../../agents/tools/workspace-files.ts'
import { ConveneError } from '../../kernel/errors.ts'
import type { AttachmentFacts } from '../../rules/room/attachments.ts'
import {
  type LineRange,
  type PathReference,
  pathReferences,
  readLineRange,
  selectLines,
  wasMeantAsPath,
} from '../../rules/room/path-references.ts'

export type AttachmentRequest = { path: string; lines?: string } | { name: string; text: string }

export type ReadAttachment = AttachmentFacts & { text: string }

export interface ProjectFiles {
  /** The project's folder. */
  folder: string
  /** Paths of the project's files: tracked ones, and untracked ones that are not ignored. */
  list(): Promise<string[]>
  /** Whether a file differs from the last commit. */
  hasChanged(path: string): Promise<boolean>
  /** Other people can send messages too; they may attach only files that the repository does not ignore. */
  isShared: boolean
}

export interface AttachedTo {
  text: string
  /** Names that `@` mentions instead of naming a file. */
  agents: readonly string[]
  attachments?: readonly AttachmentRequest[]
  /** The folder of the sender, relative to the project; paths are looked up there first. */
  folder?: string
}

export async function readAttachments(
  project: ProjectFiles,
  message: AttachedTo,
  limitKb: number,
): Promise<ReadAttachment[]> {
  const read: ReadAttachment[] = []
  for (const reference of pathReferences(message.text, message.agents)) {
    const attachment = await readReference(project, reference, message.folder)
    if (attachment) read.push({ ...attachment, in_text: true })
  }
  for (const [index, request] of (message.attachments ?? []).entries())
    read.push(await readRequest(project, request, `attachments.${index}`))
  const unique = [...new Map(read.map((each) => [keyOf(each), each])).values()]
  refuseTooMuch(unique, limitKb)
  return unique
}

async function readReference(
  project: ProjectFiles,
  reference: PathReference,
  folder: string | undefined,
): Promise<ReadAttachment | null> {
  const refuse = (why: string) => refusal('text', `${reference.written}: ${why}`)
  const wanted = reference.path.startsWith('/')
    ? [posix.relative(project.folder, reference.path)]
    : [posix.join(folder ?? '', reference.path), posix.normalize(reference.path)]
  for (const path of wanted) {
    const kind = await kindOf(project.folder, path)
    if (kind === 'file') return readFile(project, path, reference.lines, refuse)
    // `@test` and `@docs` are words as often as folders.
    if (kind === 'folder' && path.includes('/')) return listFolder(project, path, reference.lines, refuse)
    if (kind === 'outside' || kind === 'state') throw refuse(unreachable[kind])
  }
  if (reference.path.endsWith('/') && !reference.path.startsWith('/')) throw refuse('the project has no such folder')
  const [first = ''] = wanted[0]!.split('/')
  if (!wasMeantAsPath(reference, (await kindOf(project.folder, first)) === 'folder')) return null
  if (wanted.every((path) => path.startsWith('..'))) throw refuse('is outside the project')
  throw refuse('the project has no such file. To write @ without attaching a file, put a backslash before it')
}

async function readRequest(project: ProjectFiles, request: AttachmentRequest, at: string): Promise<ReadAttachment> {
  if ('text' in request) {
    const { name, text } = request
    if (text.includes('\0')) throw refusal(`${at}.text`, `${name} is not text`)
    return { name, kind: 'text', line_count: linesOf(text).length, text }
  }
  const lines = request.lines === undefined ? undefined : readLineRange(request.lines)
  if (request.lines !== undefined && !lines)
    throw refusal(`${at}.lines`, `'${request.lines}' names no lines`, '10 or 10-40')
  const refuse = (why: string) => refusal(`${at}.path`, `${request.path}: ${why}`)
  const path = posix.normalize(request.path)
  const kind = await kindOf(project.folder, path)
  if (kind === 'folder') return listFolder(project, path, lines, refuse)
  if (kind === 'outside' || kind === 'state') throw refuse(unreachable[kind])
  if (kind === null) throw refuse('the project has no such file')
  return readFile(project, path, lines, refuse)
}

async function readFile(
  project: ProjectFiles,
  path: string,
  range: LineRange | undefined,
  refuse: (why: string) => ConveneError,
): Promise<ReadAttachment> {
  if (project.isShared && !(await isProjectsFile(project, path)))
    throw refuse('is ignored by the repository; a shared project takes only its files')
  const text = await readText({ folder: project.folder }, path).catch((error: Error) => {
    throw refuse(error.message)
  })
  const all = linesOf(text)
  const file = { name: path, kind: 'file' as const, ...((await project.hasChanged(path)) ? { uncommitted: true } : {}) }
  if (!range) return { ...file, line_count: all.length, text }
  const selected = selectLines(all, range)
  if (!selected.ok) throw refuse(selected.why)
  const { lines } = selected
  return { ...file, lines: { ...range, of: all.length }, line_count: lines.length, text: lines.join('\n') }
}

/** A tracked link does not make what it points to a file of the repository. */
async function isProjectsFile(project: ProjectFiles, path: string): Promise<boolean> {
  const listed = await project.list()
  const target = posix.relative(await realpath(project.folder), await realpath(posix.join(project.folder, path)))
  return listed.includes(path) && listed.includes(target)
}

/** How many files of a folder are listed. */
const mostListed = 500

async function listFolder(
  project: ProjectFiles,
  path: string,
  range: LineRange | undefined,
  refuse: (why: string) => ConveneError,
): Promise<ReadAttachment> {
  if (range) throw refuse('is a folder, which has no lines')
  const name = path.endsWith('/') ? path : `${path}/`
  const inside = (await project.list()).filter((file) => file.startsWith(name))
  const listed = inside.slice(0, mostListed)
  const more = inside.length - listed.length
  const text = [...listed, ...(more > 0 ? [`[… and ${more} more]`] : [])].join('\n')
  return { name, kind: 'folder', line_count: inside.length, text }
}

const unreachable = {
  outside: 'is outside the project',
  state: "is part of Convene's own state, which is not for agents",
}

/** What a path names; `outside` for something that exists, but not in the project, `state` for what is in `.convene/`. */
async function kindOf(folder: string, path: string): Promise<'file' | 'folder' | 'outside' | 'state' | null> {
  const found = await stat(posix.join(folder, path)).catch(() => null)
  if (!found) return null
  if (posix.normalize(path) === './' || posix.normalize(path) === '.') return 'outside'
  const located = path.startsWith('..') ? null : await locate(folder, path)
  if (!located?.ok) return 'outside'
  if (/(?:^|\/)\.convene(?:\/|$)/i.test(posix.relative(await realpath(folder), located.target))) return 'state'
  return found.isDirectory() ? 'folder' : 'file'
}

function refuseTooMuch(attachments: readonly ReadAttachment[], limitKb: number): void {
  const bytes = attachments.map(({ text }) => Buffer.byteLength(text))
  const total = bytes.reduce((sum, each) => sum + each, 0)
  if (total <= limitKb * 1024) return
  const sizes = attachments.map(({ name }, index) => `${name} ${kilobytes(bytes[index]!)}`)
  throw new ConveneError(
    'too_large',
    `the attachments are too large: ${sizes.join(', ')}. Attach a part (@path:10-40), or raise room.attachments_kb (${limitKb})`,
    { path: 'attachments', expected: `at most ${limitKb} KB together`, status: 413 },
  )
}

function refusal(path: string, message: string, expected?: string): ConveneError {
  return new ConveneError('invalid_attachment', message, { path, ...(expected === undefined ? {} : { expected }) })
}

const keyOf = ({ name, kind, lines, text }: ReadAttachment) =>
  JSON.stringify(kind === 'text' ? [name, text] : [name, lines])

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

const kilobytes = (bytes: number) => `${Math.ceil(bytes / 1024)} KB`
