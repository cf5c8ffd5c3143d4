/** The deployment files: they parse, their parts refer to each other, and their commands are commands of Convene. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { buildProgram } from '../../src/cli/program.ts'
import { root } from '../support/convene.ts'

const read = (name: string) => readFileSync(join(root, 'deploy', name), 'utf8')

/** The options of a command line that Convene does not have. */
function unknownOptions([name, ...rest]: string[]): string[] {
  const command = buildProgram(() => {}).commands.find((one) => one.name() === name)
  if (!command) return [`no command ${name}`]
  const known = command.options.map(({ long }) => long)
  return rest.filter((word) => word.startsWith('--') && !known.includes(word))
}

it('compose: three kinds of service around one database', () => {
  const { services, volumes } = parse(read('compose.yaml'), { merge: true }) as {
    services: Record<string, { command: string[]; environment?: Record<string, string>; depends_on?: object }>
    volumes: object
  }
  expect(Object.keys(services)).toEqual(['postgres', 'serve', 'worker', 'proxy'])
  expect(Object.keys(volumes)).toEqual(['database'])
  for (const name of ['serve', 'worker']) {
    const { command, environment = {}, depends_on = {} } = services[name]!
    expect([name, unknownOptions(command)]).toEqual([name, []])
    expect(Object.keys(depends_on)).toEqual(['postgres'])
    expect(environment.CONVENE_DATABASE_URL).toContain('@postgres:5432/')
  }
  expect(Object.keys(services.serve!.environment!).filter((name) => name.endsWith('_API_KEY'))).toEqual([])
})

interface Resource {
  apiVersion: string
  kind: string
  metadata: { name: string }
  spec?: {
    selector?: { matchLabels?: object; app?: string }
    template?: { metadata: { labels: object }; spec: { containers: Container[] } }
  }
}

interface Container {
  args: string[]
  env: { name: string; valueFrom?: { secretKeyRef: { name: string; key: string } } }[]
  envFrom?: { configMapRef: { name: string } }[]
}

it('kubernetes: selectors, secrets and commands fit together', () => {
  const text = read('kubernetes.yaml')
  const documents = parseAllDocuments(text)
  expect(documents.flatMap(({ errors }) => errors)).toEqual([])
  const resources = documents.map((one) => one.toJS() as Resource)
  expect(resources.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
    'ConfigMap convene',
    'Service convene-postgres',
    'StatefulSet convene-postgres',
    'Service convene',
    'Deployment convene-serve',
    'Deployment convene-worker',
  ])
  const workloads = resources.filter(({ spec }) => spec?.template)
  const labels = workloads.map(({ spec }) => spec!.template!.metadata.labels)
  for (const { spec } of workloads) expect(spec!.selector!.matchLabels).toEqual(spec!.template!.metadata.labels)
  for (const { spec } of resources.filter(({ kind }) => kind === 'Service'))
    expect(labels).toContainEqual(spec!.selector)
  const containers = workloads.flatMap(({ spec }) => spec!.template!.spec.containers)
  const secrets = containers.flatMap(({ env }) => env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? []))
  for (const { name, key } of secrets)
    expect([name, text]).toEqual(['convene', expect.stringContaining(`literal=${key}=`)])
  for (const { args, envFrom } of containers.slice(1)) {
    expect(unknownOptions(args)).toEqual([])
    expect(envFrom).toEqual([{ configMapRef: { name: 'convene' } }])
  }
})
