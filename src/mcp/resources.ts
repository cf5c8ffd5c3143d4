/** The resources of the MCP server: transcripts, files of plans, and runs. */
import { ConveneError } from '../kernel/errors.ts'
import type { ApiClient } from '../serve/call.ts'
import { planFileUri, readUri, runUri, transcriptUri } from './calls/resource-uris.ts'

interface Listed {
  uri: string
  name: string
  mimeType: string
  description?: string
}

export interface ResourceText {
  uri: string
  mimeType: string
  text: string
}

/** The newest of each kind: a long-lived project has thousands. */
const mostOfEach = 50

export const resourceTemplates = [
  {
    uriTemplate: 'convene://rooms/{room}/transcript',
    name: 'transcript',
    title: 'Transcript of a room',
    mimeType: 'application/json',
  },
  { uriTemplate: 'convene://plans/{plan}/{file}', name: 'plan-file', title: 'File of a plan' },
  { uriTemplate: 'convene://runs/{run}', name: 'run', title: 'A run and its steps', mimeType: 'application/json' },
]

export async function listResources(owner: ApiClient): Promise<Listed[]> {
  const [{ rooms }, { plans }, { runs }] = await Promise.all([
    owner.call('GET /api/rooms'),
    owner.call('GET /api/plans'),
    owner.call('GET /api/runs'),
  ])
  const files = await Promise.all(
    plans.slice(0, mostOfEach).map(async ({ plan, goal }) => {
      const listed = await owner.call('GET /api/plans/:plan/files', { params: { plan } }).catch(() => ({ files: [] }))
      return listed.files
        .filter((file) => !file.startsWith('.'))
        .map((file) => ({
          uri: planFileUri(plan, file),
          name: `${plan}/${file}`,
          mimeType: typeOf(file),
          description: goal,
        }))
    }),
  )
  return [
    ...rooms
      .slice(-mostOfEach)
      .map(({ id, name }) => ({ uri: transcriptUri(id), name: `Room ${name}`, mimeType: 'application/json' })),
    ...files.flat(),
    ...runs.slice(0, mostOfEach).map(({ id, kind, title, status }) => ({
      uri: runUri(id),
      name: `Run ${id}`,
      mimeType: 'application/json',
      description: `${kind}, ${status}${title === undefined ? '' : `: ${title}`}`,
    })),
  ]
}

export async function readResource(owner: ApiClient, uri: string): Promise<ResourceText> {
  const address = readUri(uri)
  if (!address) throw new ConveneError('unknown_resource', `there is no resource ${uri}`, { path: 'uri', status: 404 })
  switch (address.kind) {
    case 'transcript': {
      const { rooms } = await owner.call('GET /api/rooms')
      const found = rooms.find(({ id }) => id === address.room) ?? rooms.find(({ name }) => name === address.room)
      const params = { room: found?.id ?? address.room }
      return json(uri, await owner.call('GET /api/rooms/:room/transcript', { params }))
    }
    case 'run':
      return json(uri, await owner.call('GET /api/runs/:run', { params: { run: address.run } }))
    case 'plan-file': {
      const { plan, file } = address
      const { text } = await owner.call('GET /api/plans/:plan/files/:file', { params: { plan, file } })
      return { uri, mimeType: typeOf(file), text }
    }
  }
}

function json(uri: string, value: unknown): ResourceText {
  return { uri, mimeType: 'application/json', text: JSON.stringify(value) }
}

function typeOf(file: string): string {
  if (file.endsWith('.md')) return 'text/markdown'
  if (file.endsWith('.json')) return 'application/json'
  return 'text/plain'
}
