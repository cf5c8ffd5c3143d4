/** The in-memory forge passes the forge's contract suite. */
import { MemoryForge } from '../../src/forge/memory.ts'
import { forgeContract } from '../contract/forge.ts'

forgeContract('memory', async () => {
  const forge = new MemoryForge()
  return {
    forge,
    addIssue: async (issue) => forge.addIssue(issue),
    addComment: async (issue, body) => void forge.addComment(issue, body),
    commentsOf: async (issue) => forge.commentsOf(issue).map(({ body }) => body),
    labels: async () => forge.labels,
    addPullRequest: async (request) => forge.addPullRequest(request),
    pullRequests: async () => forge.pullRequests.map(({ title, body }) => ({ title, body })),
    close: async () => {},
  }
})
