/** Traces requests, bank calls and sweep rounds by OpenTelemetry; its libraries are loaded only when needed. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Span, SpanContext, Context as Surroundings } from '@opentelemetry/api'
import { wallMilliseconds } from '../clock.ts'

/** Attributes never hold addresses, tokens, names, accounts or amounts: traces are exported to another system. */
export type TraceAttributes = Readonly<Record<string, string | number>>

export type OpenSpan = {
  /** Runs work inside the span, so that spans started there are its children. */
  within<Result>(work: () => Result): Result
  /** Ends the span; `failed` marks it as our error or a bank's. */
  end(attributes: TraceAttributes, failed: boolean): void
}

/** A call that has just ended. */
export type CompletedCall = { readonly name: string; readonly milliseconds: number; readonly failed: boolean }

export type Trace = {
  /** A request, as a child of the caller's own trace when it sent a valid `traceparent`. */
  beginRequest(name: string, traceparent: string | undefined, attributes: TraceAttributes): OpenSpan
  /** A round of a sweep; a span that is never ended is not exported. */
  beginRound(name: string): OpenSpan
  /** A call, as a child of the current span. */
  addCall(call: CompletedCall, attributes: TraceAttributes): void
  /** Exports the remaining spans. */
  close(): Promise<void>
}

/** A collector that does not respond must not delay the end of the program for longer. */
const EXPORT_TIMEOUT_MILLISECONDS = 5_000
/** W3C Trace Context, version 00: trace id, span id, flags. All-zero ids are invalid. */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/
/** The flag by which a caller says that it records this trace. */
const SAMPLED = 1

/** Opens the exporter to a collector; `url` is the value of `OTEL_EXPORTER_OTLP_ENDPOINT`. */
export async function openTrace(url: string, serviceName: string): Promise<Trace> {
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } = await import('@opentelemetry/api')
  const provider = await openProvider(url, serviceName)
  const tracer = provider.getTracer('havn')
  const under = new AsyncLocalStorage<Surroundings>()
  const open = (span: Span, parent: Surroundings): OpenSpan => ({
    within: (work) => under.run(trace.setSpan(parent, span), work),
    end: (attributes, failed) => {
      span.setAttributes(attributes)
      span.setStatus({ code: failed ? SpanStatusCode.ERROR : SpanStatusCode.UNSET })
      span.end()
    },
  })
  return {
    beginRequest: (name, traceparent, attributes) => {
      const caller = parseTraceparent(traceparent)
      const parent = caller === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, caller)
      return open(tracer.startSpan(name, { kind: SpanKind.SERVER, attributes: { ...attributes } }, parent), parent)
    },
    beginRound: (name) => open(tracer.startSpan(`sweep ${name}`, {}, ROOT_CONTEXT), ROOT_CONTEXT),
    addCall: ({ name, milliseconds, failed }, attributes) => {
      const endTime = wallMilliseconds()
      const begun = { kind: SpanKind.CLIENT, startTime: endTime - milliseconds, attributes: { ...attributes } }
      const span = tracer.startSpan(name, begun, under.getStore() ?? ROOT_CONTEXT)
      span.setStatus({ code: failed ? SpanStatusCode.ERROR : SpanStatusCode.UNSET })
      span.end(endTime)
    },
    // Without its collector, the program has ended all the same.
    close: () => provider.shutdown().catch(() => undefined),
  }
}

function parseTraceparent(traceparent: string | undefined): SpanContext | undefined {
  const [, traceId, spanId, flags = ''] = TRACEPARENT.exec(traceparent ?? '') ?? []
  return traceId === undefined || spanId === undefined
    ? undefined
    : { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & SAMPLED, isRemote: true }
}

async function openProvider(url: string, serviceName: string) {
  const { BatchSpanProcessor, TracerProvider } = await import('@opentelemetry/sdk-trace')
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http')
  const { resourceFromAttributes } = await import('@opentelemetry/resources')
  const exporter = new OTLPTraceExporter({ url: `${url}/v1/traces`, timeoutMillis: EXPORT_TIMEOUT_MILLISECONDS })
  return new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName }),
    spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: EXPORT_TIMEOUT_MILLISECONDS })],
  })
}
