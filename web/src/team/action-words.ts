/** What people did, in words. The names of actions are those of the API's routes. */

/** Each is followed by what it was done to, if that has a name. */
const words: Record<string, string> = {
  addUser: 'added user',
  answerQuestion: 'answered a question',
  assignRoles: 'assigned roles to agents',
  compare: 'started a comparison',
  connectAgent: 'connected an agent',
  createRoom: 'created room',
  forkRun: 'forked a run',
  greenlight: 'admitted issues to',
  markReviewed: 'marked issues as reviewed in',
  overrideRoom: 'changed who answers in',
  postAgentMessage: 'sent a message to an agent in',
  postMessage: 'posted a message in',
  removeUser: 'removed user',
  replaceToken: 'gave a new token to',
  resetSample: 'reset the sample project',
  resumeRun: 'resumed a run',
  runFeature: 'started work on',
  ship: 'started a ship',
  startBuild: 'started a build',
  startPlan: 'started a plan',
  stopRun: 'stopped a run',
  stopSession: 'stopped a session',
  tryAgent: 'tried agent',
  unblock: 'unblocked an issue of',
}

/** An action of a newer server has no words here: its name says enough. */
export function actionWords(action: string): string {
  return words[action] ?? action.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase()
}

export const wordedActions: readonly string[] = Object.keys(words)
