/** A connection to the owner of a project: over HTTP, or in this process where it is the owner itself. */

import type { OwnerAddress } from '../../kernel/owner-address.ts'

export interface Link {
  fetch(path: string, request: LinkRequest): Promise<LinkResponse>
  close(): Promise<void>
  /** Whether this process is the owner. */
  owner: boolean
  /** The owner in another process. */
  address?: OwnerAddress
}

export interface LinkRequest {
  method?: 'GET' | 'POST'
  headers: Record<string, string>
  body?: string
  signal?: AbortSignal
}

/** The part of a `Response` that clients use. */
export interface LinkResponse {
  ok: boolean
  status: number
  json(): Promise<unknown>
  body: ReadableStream<Uint8Array> | null
}
