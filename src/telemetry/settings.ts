/** Reads OpenTelemetry's own variables: whether and where to send spans. */

type Environment = Readonly<Record<string, string | undefined>>

export type TelemetrySettings =
  | { on: false; problem?: string }
  | { on: true; url: string; protocol: 'http/protobuf' | 'http/json'; serviceName: string }

/** On when `OTEL_EXPORTER_OTLP_ENDPOINT`, or the same for traces alone, is set. */
export function telemetrySettings(env: Environment): TelemetrySettings {
  const read = (name: string) => env[name]?.trim() || undefined
  const base = read('OTEL_EXPORTER_OTLP_ENDPOINT')
  const own = read('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT')
  if (base === undefined && own === undefined) return { on: false }
  if (read('OTEL_SDK_DISABLED')?.toLowerCase() === 'true' || read('OTEL_TRACES_EXPORTER') === 'none')
    return { on: false }
  // Its value may hold a password, and what is no address cannot be shown without it.
  const named = own === undefined ? 'OTEL_EXPORTER_OTLP_ENDPOINT' : 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'
  const url = own ?? `${base!.replace(/\/+$/, '')}/v1/traces`
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    return { on: false, problem: `${named} is not an http address, such as http://localhost:4318` }
  const protocol = read('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL') ?? read('OTEL_EXPORTER_OTLP_PROTOCOL') ?? 'http/protobuf'
  if (protocol !== 'http/protobuf' && protocol !== 'http/json')
    return { on: false, problem: `the protocol '${protocol}' is not supported; use http/protobuf or http/json` }
  return { on: true, url, protocol, serviceName: read('OTEL_SERVICE_NAME') ?? 'convene' }
}

/** The address for a message: a password or a key in it is for the endpoint alone. */
export function shownAddress(url: string): string {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname}`
}

/** Values of headers for the endpoint, such as an API key: secrets, by the name to show for them. */
export function endpointSecrets(env: Environment): Record<string, string> {
  const names = ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_TRACES_HEADERS']
  const pairs = names.flatMap((name) => (env[name] ?? '').split(','))
  return Object.fromEntries(
    pairs.flatMap((pair) => {
      const [, key, value] = /^\s*([^=\s]+)\s*=\s*(.+?)\s*$/.exec(pair) ?? []
      return key === undefined || value === undefined ? [] : [[`telemetry header ${key}`, decoded(value)]]
    }),
  )
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
