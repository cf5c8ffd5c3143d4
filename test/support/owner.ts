/** Calls the API of the process that owns a project, whatever command that is, as a page or another program does. */
import { ownerAddress, stateFolderOf } from '../../src/kernel/owner-address.ts'
import { readToken } from '../../src/kernel/trust/token.ts'

export async function callOwner(folder: string, method: string, path: string, body?: object): Promise<unknown> {
  const stateFolder = stateFolderOf({ folder })
  const token = readToken(stateFolder, {})
  const response = await fetch(`${ownerAddress(stateFolder)?.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return response.json()
}
