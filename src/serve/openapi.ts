/** The HTTP surface described for programs: one table of routes, and an OpenAPI 3.1 document made from it. */
import { z } from 'zod'
import { loadRule, ruleNames } from '../rules/catalogue.ts'
import {
  agentAnswer,
  agentMessagePostedAnswer,
  buildAnswer,
  buildListAnswer,
  buildReportAnswer,
  diffAnswer,
  errorAnswer,
  eventAnswer,
  eventPageAnswer,
  featureAnswer,
  featureListAnswer,
  featureReportAnswer,
  featureRunReportAnswer,
  healthAnswer,
  listedRunAnswer,
  originAnswer,
  planAdviceAnswer,
  planAnswer,
  planListAnswer,
  planReportAnswer,
  postedAnswer,
  projectAnswer,
  questionAnswer,
  replayAnswer,
  roomAnswer,
  roomWithOverrideAnswer,
  runAnswer,
  runOverviewAnswer,
  runWithJournalAnswer,
  sessionAnswer,
  shipAnswer,
  shipListAnswer,
  shipReportAnswer,
  shipSettingsAnswer,
  transcriptItemAnswer,
} from './answers.ts'
import {
  byteRange,
  eventQuery,
  featureRunRequest,
  forkRequest,
  greenlightRequest,
  newAgentMessage,
  newAnswer,
  newBuild,
  newMessage,
  newPlan,
  newRoom,
  newShip,
  planAdviceRequest,
  reviewedRequest,
  roomOverride,
  unblockRequest,
  whyQuery,
} from './contract.ts'

export interface ApiRoute {
  method: 'get' | 'post'
  /** With parameters in braces. */
  path: string
  name: string
  summary: string
  body?: z.ZodType
  query?: z.ZodObject
  status: number
  answer: z.ZodType
  /** Beside those that follow from its path, query and body. */
  errors?: number[]
  withoutToken?: boolean
}

const successes: Record<number, string> = {
  200: 'Done.',
  201: 'Made.',
  202: 'Taken. It goes on by itself; the log tells of it.',
}

/** What a request is refused with, and when. */
const refusals: Record<number, string> = {
  400: 'Something in the request has the wrong type or value; `path` names it.',
  401: 'The token is missing or wrong.',
  403: 'Another host or origin than this server’s own.',
  404: 'There is nothing of that name.',
  409: 'It cannot be done in the state that this is in.',
  413: 'The body is larger than 1 MB.',
  429: 'An inbox is full; try again later.',
  503: 'The forge cannot be asked now; send it again later.',
}

export const apiRoutes: readonly ApiRoute[] = [
  route('get', '/api/health', 'health', 'Whether the server is up. Needs no token.', healthAnswer, {
    withoutToken: true,
  }),
  route('get', '/api/openapi.json', 'describe', 'This document.', z.record(z.string(), z.unknown())),
  route(
    'get',
    '/api/project',
    'getProject',
    'The project, and the goal it offers where it is a sample.',
    projectAnswer,
  ),
  route(
    'post',
    '/api/sample/reset',
    'resetSample',
    'Puts the branch of a sample back to where it began, so that it can be played again.',
    projectAnswer,
    { errors: [409] },
  ),
  route('get', '/api/agents', 'listAgents', 'Who can be asked.', z.object({ agents: z.array(agentAnswer) })),
  route('get', '/api/rooms', 'listRooms', 'All rooms.', z.object({ rooms: z.array(roomAnswer) })),
  route('post', '/api/rooms', 'createRoom', 'A new room, with all agents unless some are named.', roomAnswer, {
    body: newRoom,
    status: 201,
  }),
  route('get', '/api/rooms/{room}', 'getRoom', 'One room, and what overrides its rule.', roomWithOverrideAnswer),
  route(
    'get',
    '/api/rooms/{room}/transcript',
    'getTranscript',
    'Everything that was said in a room.',
    z.object({ items: z.array(transcriptItemAnswer) }),
  ),
  route(
    'post',
    '/api/rooms/{room}/messages',
    'postMessage',
    'Say something. With a target one agent answers; without, a rule decides who does; collaborate and autopilot start a session.',
    postedAnswer,
    { body: newMessage, status: 202, errors: [409] },
  ),
  route(
    'post',
    '/api/rooms/{room}/override',
    'overrideRoom',
    'Who answers in this room, against the rule, until it is taken back with null.',
    roomWithOverrideAnswer,
    { body: roomOverride },
  ),
  route(
    'post',
    '/api/rooms/{room}/agent-messages',
    'postAgentMessage',
    'A message from one agent to another, or to all others.',
    agentMessagePostedAnswer,
    { body: newAgentMessage, status: 202, errors: [429] },
  ),
  route('get', '/api/sessions/{session}', 'getSession', 'How a collaboration stands.', sessionAnswer),
  route(
    'post',
    '/api/sessions/{session}/stop',
    'stopSession',
    'Stop a collaboration. Nothing happens to one that has ended.',
    sessionAnswer,
    { status: 202 },
  ),
  route(
    'get',
    '/api/plans',
    'listPlans',
    'All plans, newest first, and the teams that a plan can have.',
    planListAnswer,
  ),
  route('post', '/api/plans', 'startPlan', 'Plan a goal.', z.object({ id: z.string(), plan: z.string() }), {
    body: newPlan,
    status: 202,
  }),
  route(
    'post',
    '/api/plans/advice',
    'advisePlan',
    'Which risks a goal shows, and what each mode would take. Starts nothing.',
    planAdviceAnswer,
    { body: planAdviceRequest },
  ),
  route(
    'get',
    '/api/plans/{plan}',
    'getPlan',
    'How a plan stands: its phases, scores, votes, findings and decisions, and the place in the log to go on from.',
    planAnswer,
  ),
  route('get', '/api/plans/{plan}/report', 'reportPlan', 'How a plan stands, in short.', planReportAnswer),
  route(
    'get',
    '/api/plans/{plan}/files',
    'listPlanFiles',
    'The files that a plan wrote.',
    z.object({ files: z.array(z.string()) }),
  ),
  route(
    'get',
    '/api/plans/{plan}/files/{file}',
    'readPlanFile',
    'One of these files; a slash in its name is written %2F.',
    z.object({ text: z.string() }),
  ),
  route('get', '/api/builds', 'listBuilds', 'All builds, newest first.', buildListAnswer),
  route('post', '/api/builds', 'startBuild', 'Build a spec into a branch.', z.object({ id: z.string() }), {
    body: newBuild,
    status: 202,
    errors: [409],
  }),
  route(
    'get',
    '/api/builds/{build}',
    'getBuild',
    'How a build stands: its nodes, what they were asked, what was seen, and the place in the log to go on from.',
    buildAnswer,
  ),
  route('get', '/api/builds/{build}/report', 'reportBuild', 'How a build stands, in short.', buildReportAnswer),
  route('get', '/api/builds/{build}/diffs/{commit}', 'diffBuild', 'What one commit of a build changed.', diffAnswer),
  route('get', '/api/ships', 'listShips', 'All ships.', shipListAnswer),
  route('post', '/api/ships', 'ship', 'One goal in: plan, issues, builds, merges.', z.object({ id: z.string() }), {
    body: newShip,
    status: 202,
    errors: [404],
  }),
  route('get', '/api/ships/{ship}', 'getShip', 'How a ship stands, and how far it is.', shipAnswer),
  route('get', '/api/ships/{ship}/report', 'reportShip', 'How a ship stands, in short.', shipReportAnswer),
  route('get', '/api/ship-settings', 'shipSettings', 'What features and ships go by.', shipSettingsAnswer),
  route('get', '/api/features', 'listFeatures', 'All features.', featureListAnswer),
  route(
    'get',
    '/api/features/{feature}',
    'getFeature',
    'A feature with its issues, and the place in the log.',
    featureAnswer,
  ),
  route(
    'get',
    '/api/features/{feature}/status',
    'featureStatus',
    'Looks at git, then says where each issue stands.',
    featureReportAnswer,
  ),
  route(
    'post',
    '/api/features/{feature}/greenlight',
    'greenlight',
    'Admits issues to be worked on; what is done stays done.',
    featureReportAnswer,
    {
      body: greenlightRequest,
    },
  ),
  route(
    'post',
    '/api/features/{feature}/unblock',
    'unblock',
    'Lets a blocked issue be tried again.',
    featureReportAnswer,
    {
      body: unblockRequest,
      errors: [409],
    },
  ),
  route(
    'post',
    '/api/features/{feature}/reviewed',
    'markReviewed',
    'Says that a person has looked at finished issues; a run that waits for it goes on.',
    featureReportAnswer,
    {
      body: reviewedRequest,
      errors: [409],
    },
  ),
  route(
    'post',
    '/api/webhooks/github',
    'hearFromGitHub',
    'What GitHub sends by itself. Needs no token: `X-Hub-Signature-256` shows that it knows the secret.',
    z.object({ noticed: z.boolean() }),
    {
      body: z.looseObject({}),
      status: 202,
      errors: [401, 404, 503],
      withoutToken: true,
    },
  ),
  route(
    'post',
    '/api/features/{feature}/runs',
    'runFeature',
    'Works on what is eligible; one that is under way is the same run.',
    z.object({ id: z.string(), warnings: z.array(z.string()).optional() }),
    {
      body: featureRunRequest,
      status: 202,
    },
  ),
  route(
    'get',
    '/api/feature-runs/{run}/report',
    'reportFeatureRun',
    'How the issue loop stands, in short.',
    featureRunReportAnswer,
  ),
  route(
    'get',
    '/api/questions',
    'listQuestions',
    'What waits for a person.',
    z.object({ questions: z.array(questionAnswer) }),
  ),
  route(
    'post',
    '/api/questions/{question}/answer',
    'answerQuestion',
    'Answer with a choice or your own words; the run goes on.',
    questionAnswer,
    { body: newAnswer, status: 202, errors: [409] },
  ),
  route('get', '/api/payloads/{ref}', 'readPayload', 'Bytes by their hash, whole or in part.', z.string(), {
    query: byteRange,
  }),
  route('get', '/api/why', 'why', 'Where an event, a commit or file:line came from.', originAnswer, {
    query: whyQuery,
    errors: [404],
  }),
  route(
    'post',
    '/api/runs/{run}/replay',
    'replayRun',
    'Every decision of a run, taken again from the log.',
    replayAnswer,
  ),
  route('get', '/api/runs', 'listRuns', 'Durable runs, newest first.', z.object({ runs: z.array(listedRunAnswer) })),
  route('get', '/api/runs/{run}', 'getRun', 'One run, with its steps and what it gave.', runWithJournalAnswer),
  route(
    'get',
    '/api/runs/{run}/overview',
    'overviewRun',
    'A run and those below it at a glance: bars over time, sums, and the place in the log to go on from.',
    runOverviewAnswer,
  ),
  route('post', '/api/runs/{run}/stop', 'stopRun', 'Ask a run to stop; it cleans up and ends.', runAnswer, {
    status: 202,
    errors: [409],
  }),
  route('post', '/api/runs/{run}/resume', 'resumeRun', 'Go on with a run that was left or parked.', runAnswer, {
    status: 202,
    errors: [409],
  }),
  route('post', '/api/runs/{run}/fork', 'forkRun', 'A new run from the first steps of another.', runAnswer, {
    body: forkRequest,
    status: 202,
    errors: [409],
  }),
  route(
    'get',
    '/api/events',
    'events',
    'The log. As server-sent events, from `after` or `Last-Event-ID` on, else from now; or, for `Accept: application/json`, a page of it.',
    eventPageAnswer,
    { query: eventQuery },
  ),
  route(
    'post',
    '/api/decide/{rule}',
    'decide',
    'One of the ten rules by hand. The same input gives the same answer on every machine.',
    z.record(z.string(), z.unknown()),
    { errors: [400, 413] },
  ),
]

/** Shapes that others are made of. Every other body and answer is named for its route. */
const shared: Record<string, z.ZodType> = {
  Agent: agentAnswer,
  Error: errorAnswer,
  Event: eventAnswer,
  Room: roomAnswer,
  RoomWithOverride: roomWithOverrideAnswer,
  Run: runAnswer,
  Session: sessionAnswer,
  TranscriptItem: transcriptItemAnswer,
}

type Json = Record<string, unknown>
type Names = z.core.$ZodRegistry<{ id: string }>

export async function openApiDocument(version: string): Promise<Json> {
  const names = await nameSchemas()
  const { schemas } = z.toJSONSchema(names, { io: 'input', unrepresentable: 'any', uri: reference })
  const paths: Record<string, Json> = {}
  for (const each of apiRoutes) paths[each.path] = { ...paths[each.path], [each.method]: operation(each, names) }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Convene',
      version,
      description:
        'Rooms, sessions and durable runs of a project. `convene serve` prints its address with a token, which is also in `.convene/token`; in a browser a cookie takes the place of the token after the first visit.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ token: [] }],
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, withoutHead(schema)])),
      responses: Object.fromEntries(
        Object.entries(refusals).map(([status, description]) => [
          refusal(status),
          { description, content: json(reference('Error')) },
        ]),
      ),
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    },
  }
}

async function nameSchemas(): Promise<Names> {
  const names = z.registry<{ id: string }>()
  const name = (schema: z.ZodType | undefined, id: string) => {
    if (schema && !names.has(schema)) names.add(schema, { id })
  }
  for (const [id, schema] of Object.entries(shared)) name(schema, id)
  for (const route of apiRoutes) {
    name(route.body, `${capital(route.name)}Body`)
    name(route.answer, `${capital(route.name)}Answer`)
  }
  for (const rule of ruleNames) name((await loadRule(rule)).input, ruleInput(rule))
  return names
}

function operation(route: ApiRoute, names: Names): Json {
  const { name, summary, status, answer, body, withoutToken } = route
  const refer = (schema: z.ZodType) => reference(names.get(schema)!.id)
  const required = !body?.safeParse({}).success
  const input = route.path === '/api/decide/{rule}' ? anyRuleInput() : body && { $ref: refer(body) }
  const parameters = parametersOf(route)
  const content = { ...json(refer(answer)), ...(name === 'events' ? eventStream : {}) }
  return {
    operationId: name,
    summary,
    ...(withoutToken ? { security: [] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(input ? { requestBody: { required, content: { 'application/json': { schema: input } } } } : {}),
    responses: {
      [status]: { description: successes[status], content },
      ...Object.fromEntries(errorsOf(route).map((each) => [each, { $ref: `#/components/responses/${refusal(each)}` }])),
    },
  }
}

function parametersOf({ path, query, name }: ApiRoute): Json[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => ({
    name: parameter,
    in: 'path',
    required: true,
    schema: parameter === 'rule' ? { type: 'string', enum: ruleNames } : { type: 'string' },
  }))
  const asked = query ? (z.toJSONSchema(query, { io: 'output' }).properties ?? {}) : {}
  const inQuery = Object.entries(asked).map(([parameter, schema]) => ({ name: parameter, in: 'query', schema }))
  const inHeader = name === 'events' ? [{ name: 'Last-Event-ID', in: 'header', schema: { type: 'integer' } }] : []
  return [...inPath, ...inQuery, ...inHeader]
}

function errorsOf({ path, body, query, errors = [], withoutToken }: ApiRoute): number[] {
  const all = new Set([403, ...errors])
  if (!withoutToken) all.add(401)
  if (body || query) all.add(400)
  if (body) all.add(413)
  if (path.includes('{')) all.add(404)
  return [...all].sort((a, b) => a - b)
}

const eventStream = {
  'text/event-stream': {
    schema: {
      type: 'string',
      description:
        'Each event of the log as `id: <seq>` and its JSON as `data`; words as they come as `event: delta` without an id, `{ask, attempt, offset, text}`, where a higher attempt replaces what a lower one sent.',
    },
  },
}

const reference = (id: string) => `#/components/schemas/${id}`
const json = (ref: string) => ({ 'application/json': { schema: { $ref: ref } } })
const refusal = (status: number | string) => `Refused${status}`
const capital = (name: string) => name[0]!.toUpperCase() + name.slice(1)
const ruleInput = (rule: string) => `Decide${capital(rule)}Input`
const anyRuleInput = () => ({ anyOf: ruleNames.map((rule) => ({ $ref: reference(ruleInput(rule)) })) })

/** The document has a head of its own. */
function withoutHead(schema: object): Json {
  const { $schema: _, $id: __, ...rest } = schema as Json
  return rest
}

function route(
  method: ApiRoute['method'],
  path: string,
  name: string,
  summary: string,
  answer: z.ZodType,
  more: Partial<Pick<ApiRoute, 'body' | 'query' | 'status' | 'errors' | 'withoutToken'>> = {},
): ApiRoute {
  return { method, path, name, summary, answer, status: 200, ...more }
}
