/** What Convene does for an agent while it works: it receives updates, decides about permissions, reads and writes files. */
import type {
  ReadTextFileRequest,
  ReadTextFileResponse,
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionNotification,
  WriteTextFileRequest,
} from '@agentclientprotocol/sdk/unstable'

export interface SessionHost {
  update(notification: SessionNotification): void
  permission(request: RequestPermissionRequest): Promise<RequestPermissionResponse>
  read(request: ReadTextFileRequest): Promise<ReadTextFileResponse>
  write(request: WriteTextFileRequest): Promise<object>
}

/** No ask is at work: whatever comes belongs to one that is over. */
export const closedHost: SessionHost = {
  update: () => {},
  permission: async () => ({ outcome: { outcome: 'cancelled' } }),
  read: () => Promise.reject(new Error('no ask is at work')),
  write: () => Promise.reject(new Error('no ask is at work')),
}
