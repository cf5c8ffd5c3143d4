/** docs/http.md: the OpenAPI document as a page for people. `npm run docs:http` writes it. */
import { listedRoutes, openApiDocument } from './openapi.ts'

interface Schema {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  description?: string
}

interface Parameter {
  name: string
  in: string
  required?: boolean
  schema: Schema
}

interface Body {
  description?: string
  content: Record<string, { schema: Schema }>
}

interface Operation {
  summary: string
  parameters?: Parameter[]
  requestBody?: Body
  responses: Record<string, Body | { $ref: string }>
}

interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; responses: Record<string, { description: string }> }
}

const introduction = `# HTTP API

<!-- Generated from src/serve/api.ts by \`npm run docs:http\`. Do not edit. -->

\`convene serve\` serves the API under \`/api\`. \`GET /api/openapi.json\` describes it for programs.

**Token.** Send \`Authorization: Bearer <token>\` with every request. The token is \`CONVENE_TOKEN\` or, if that is not set, the
content of \`.convene/token\`. Opening the address that \`convene serve\` prints sets a cookie that replaces the token in a browser.
Requests whose Host or Origin header names another server get 403.

**Errors** have the shape \`{error: {code, message, path?, expected?}}\`; \`path\` is the dotted path to the value at fault. Every
route can answer 403 and, unless it is public, 401. Routes that take a query or a body answer 400 to wrong types and
values; every POST answers 413 to a body of more than 1 MB.

**Work that takes time** is answered with 202 at once; follow its progress on \`/api/events\`. Views carry a \`seq\`: apply the events
after it to keep the view up to date.`

/** Said once in the introduction instead of at every route. */
const commonErrors = ['400', '401', '403', '413']

export async function httpReference(): Promise<string> {
  const document = (await openApiDocument('')) as unknown as Document
  const { schemas, responses } = document.components
  const shape = shapes(schemas)
  const groups = Map.groupBy(listedRoutes, ({ group }) => group)
  const sections = [...groups].map(([group, routes]) => {
    const parts = routes.map((route) => {
      const path = route.path.replace(/:(\w+)/g, '{$1}')
      const operation = document.paths[path]![route.method.toLowerCase()]!
      return section(`${route.method} ${route.path}`, operation, shape)
    })
    return [`## ${group}`, ...parts].join('\n\n')
  })
  const errors = Object.entries(responses).map(
    ([name, { description }]) => `| ${name.replace('Refused', '')} | ${description} |`,
  )
  const named = Object.entries(schemas).filter(([name]) => !isInlined(name) && name !== 'Error')
  return `${[
    introduction,
    ['| status | meaning |', '|---|---|', ...errors].join('\n'),
    ...sections,
    '## Shared shapes',
    ...named.map(([name, schema]) => `### ${name}\n\n${block(shape(schema))}`),
  ].join('\n\n')}\n`
}

type Shape = (schema: Schema, indent?: string) => string

function section(title: string, { summary, parameters = [], requestBody, responses }: Operation, shape: Shape): string {
  const query = parameters.filter((each) => each.in === 'query')
  const queryShape: Schema = {
    type: 'object',
    properties: Object.fromEntries(query.map(({ name, schema }) => [name, schema])),
    required: query.filter(({ required }) => required).map(({ name }) => name),
  }
  const [[status, success], ...failures] = Object.entries(responses) as [[string, Body], ...[string, unknown][]]
  const errors = failures.map(([failure]) => failure).filter((failure) => !commonErrors.includes(failure))
  const bodySchema = requestBody?.content['application/json']?.schema
  const json = success.content['application/json']?.schema
  const others = Object.entries(success.content).filter(([type]) => type !== 'application/json')
  return [
    `### \`${title}\``,
    summary,
    ...(query.length > 0 ? [`Query:\n\n${block(shape(queryShape))}`] : []),
    ...(bodySchema ? [`Body:\n\n${block(shape(bodySchema))}`] : []),
    ...(json ? [`Response ${status}:\n\n${block(shape(json))}`] : []),
    ...others.map(([type, { schema }]) => `Response ${status}, \`${type}\`: ${schema.description}`),
    ...(errors.length > 0 ? [`Errors: ${errors.join(', ')}.`] : []),
  ].join('\n\n')
}

const block = (text: string) => `\`\`\`ts\n${text}\n\`\`\``

/** Bodies and responses are shown with their route; everything else has a name in *Shared shapes*. */
const isInlined = (name: string) => /(Body|Response)$/.test(name)

/** Writes a JSON Schema the way TypeScript writes a type. */
function shapes(schemas: Record<string, Schema>): Shape {
  return shape

  function shape(schema: Schema, indent = ''): string {
    if (schema.$ref !== undefined) {
      const name = schema.$ref.split('/').at(-1)!
      return isInlined(name) ? shape(schemas[name]!, indent) : name
    }
    if (schema.const !== undefined) return JSON.stringify(schema.const)
    if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
    if (schema.anyOf) return schema.anyOf.map((each) => shape(each, indent)).join(' | ')
    if (schema.type === 'array') return list(shape(schema.items ?? {}, indent))
    if (schema.type === 'object') return object(schema, indent)
    return schema.type === undefined ? 'unknown' : [schema.type].flat().join(' | ')
  }

  function object({ properties = {}, required = [], additionalProperties }: Schema, indent: string): string {
    const rest = typeof additionalProperties === 'object' ? additionalProperties : null
    const names = Object.keys(properties)
    if (names.length === 0) return rest ? `Record<string, ${shape(rest, indent)}>` : 'object'
    const fields = names.map((name) => {
      const mark = required.includes(name) ? '' : '?'
      const field = properties[name]!
      return { text: `${name}${mark}: ${shape(field, `${indent}  `)}`, comment: field.description }
    })
    const more = rest ? ['…'] : []
    const line = `{ ${[...fields.map(({ text }) => text), ...more].join(', ')} }`
    if (
      line.length + indent.length <= 100 &&
      fields.every(({ comment }) => comment === undefined) &&
      !line.includes('\n')
    )
      return line
    const lines = fields.map(({ text, comment }) => `${indent}  ${text}${comment ? ` // ${comment}` : ''}`)
    return ['{', ...lines, ...more.map((text) => `${indent}  ${text}`), `${indent}}`].join('\n')
  }
}

const list = (item: string) => (item.includes(' | ') && !item.startsWith('{') ? `(${item})[]` : `${item}[]`)
