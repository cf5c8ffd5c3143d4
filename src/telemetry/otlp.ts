/** Sends finished spans to an OTLP endpoint. The OpenTelemetry SDK is loaded in the background, and only here. */
import type { SpanContext } from '@opentelemetry/api'
import type { SpanExporter } from '@opentelemetry/sdk-trace'
import type { FinishedSpan, SpanSink } from './span.ts'

export interface OtlpSettings {
  /** The whole address, as `http://127.0.0.1:4318/v1/traces`. */
  url: string
  protocol: 'http/protobuf' | 'http/json'
  version: string
  serviceName: string
  /** Told once, when the first export fails or the SDK cannot be loaded. */
  onProblem(words: string): void
}

export interface Otlp {
  send: SpanSink
  /** Sends what is left, within a moment: an endpoint that does not answer must not hold up the end of a command. */
  close(): Promise<void>
}

/** Spans that come before the SDK is loaded; beyond this many they are dropped. */
const mostWaiting = 10_000
const exportTimeoutMs = 2_000
const closeTimeoutMs = 2_500

type Loaded = Awaited<ReturnType<typeof load>>

export function connectOtlp(settings: OtlpSettings): Otlp {
  const waiting: FinishedSpan[] = []
  let loaded: Loaded | null | undefined
  let isTold = false
  const problem = (error: unknown) => {
    if (isTold) return
    isTold = true
    settings.onProblem(error instanceof Error ? error.message : String(error))
  }
  const emit = (span: FinishedSpan) => {
    try {
      loaded?.emit(span)
    } catch (error) {
      problem(error)
    }
  }
  const loading = load(settings, problem).then(
    (sdk) => {
      loaded = sdk
      for (const span of waiting.splice(0)) emit(span)
    },
    (error: unknown) => {
      loaded = null
      waiting.length = 0
      problem(error)
    },
  )
  return {
    send(span) {
      if (loaded !== undefined) emit(span)
      else if (waiting.length < mostWaiting) waiting.push(span)
    },
    async close() {
      let timer: NodeJS.Timeout | undefined
      const inTime = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, closeTimeoutMs)
      })
      await Promise.race([loading.then(() => loaded?.close()).catch(problem), inTime])
      clearTimeout(timer)
    },
  }
}

async function load(settings: OtlpSettings, problem: (error: unknown) => void) {
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } = await import('@opentelemetry/api')
  const { BatchSpanProcessor, TracerProvider } = await import('@opentelemetry/sdk-trace')
  const { defaultResource, detectResources, envDetector, resourceFromAttributes } = await import(
    '@opentelemetry/resources'
  )
  const { OTLPTraceExporter } =
    settings.protocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto')
  // The next ids are set just before a span is started, which reads them at once.
  const next = { traceId: '', spanId: '' }
  const exporter = new OTLPTraceExporter({ url: settings.url, timeoutMillis: exportTimeoutMs })
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': settings.serviceName, 'service.version': settings.version }))
      .merge(detectResources({ detectors: [envDetector] })),
    idGenerator: { generateTraceId: () => next.traceId, generateSpanId: () => next.spanId },
    spanProcessors: [new BatchSpanProcessor({ exporter: watched(exporter, problem) })],
  })
  const tracer = provider.getTracer('convene', settings.version)
  return {
    emit(span: FinishedSpan) {
      Object.assign(next, { traceId: span.traceId, spanId: span.spanId })
      const parent: SpanContext | undefined =
        span.parentId === undefined
          ? undefined
          : { traceId: span.traceId, spanId: span.parentId, traceFlags: TraceFlags.SAMPLED }
      const recorded = tracer.startSpan(
        span.name,
        {
          kind: span.kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL,
          startTime: new Date(span.start),
          attributes: span.attributes,
        },
        parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT,
      )
      if (span.error !== undefined) recorded.setStatus({ code: SpanStatusCode.ERROR, message: span.error })
      recorded.end(new Date(span.end))
    },
    close: () => provider.shutdown(),
  }
}

/** Says that an export failed; the spans are dropped. */
function watched(exporter: SpanExporter, problem: (error: unknown) => void): SpanExporter {
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.error) problem(result.error)
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  }
}
