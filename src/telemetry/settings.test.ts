import { expect, it } from 'vitest'
import { endpointSecrets, shownAddress, telemetrySettings } from './settings.ts'

const endpoint = 'OTEL_EXPORTER_OTLP_ENDPOINT'

it('is off unless an endpoint is set, and where OpenTelemetry is switched off', () => {
  expect(telemetrySettings({})).toEqual({ on: false })
  expect(telemetrySettings({ [endpoint]: ' ' })).toEqual({ on: false })
  expect(telemetrySettings({ [endpoint]: 'http://a', OTEL_SDK_DISABLED: 'true' })).toEqual({ on: false })
  expect(telemetrySettings({ [endpoint]: 'http://a', OTEL_TRACES_EXPORTER: 'none' })).toEqual({ on: false })
})

it('appends the path of traces to the endpoint, but not to one for traces alone', () => {
  expect(telemetrySettings({ [endpoint]: 'http://a:4318/' })).toEqual({
    on: true,
    url: 'http://a:4318/v1/traces',
    protocol: 'http/protobuf',
    serviceName: 'convene',
  })
  const own = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://b/x', OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' }
  expect(telemetrySettings({ ...own, OTEL_SERVICE_NAME: 'shop' })).toEqual({
    on: true,
    url: 'https://b/x',
    protocol: 'http/json',
    serviceName: 'shop',
  })
})

it('says what is wrong with an address or a protocol', () => {
  expect(telemetrySettings({ [endpoint]: 'collector:4317' })).toMatchObject({
    on: false,
    problem: expect.stringContaining('http address'),
  })
  expect(telemetrySettings({ [endpoint]: 'http://a', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toMatchObject({
    on: false,
    problem: expect.stringContaining("'grpc' is not supported"),
  })
})

it('never shows an address that it cannot take apart: it may hold a password', () => {
  for (const name of [endpoint, 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'])
    expect(telemetrySettings({ [name]: 'me:hunter2@collector:4318' })).toEqual({
      on: false,
      problem: `${name} is not an http address, such as http://localhost:4318`,
    })
})

it('takes the values of headers for secrets', () => {
  expect(endpointSecrets({ OTEL_EXPORTER_OTLP_HEADERS: 'api-key=abc%20def, x-team = a=b' })).toEqual({
    'telemetry header api-key': 'abc def',
    'telemetry header x-team': 'a=b',
  })
})

it('shows an address without what is secret in it', () => {
  expect(shownAddress('https://me:pass@traces.example:4318/v1/traces?key=abc')).toBe(
    'https://traces.example:4318/v1/traces',
  )
})
