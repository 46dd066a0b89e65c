/** Traces requests, bank calls and sweep rounds by OpenTelemetry; its libraries are loaded only where traces are wanted. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Span, SpanContext, Context as Surroundings } from '@opentelemetry/api'
import { wallMilliseconds } from '../clock.ts'

/** Attributes never hold addresses, tokens, names, accounts or amounts: traces leave the house. */
export type TraceAttributes = Readonly<Record<string, string | number>>

/** Something that has begun and is traced until it ends. */
export type OpenSpan = {
  /** Runs what belongs to it, so that what begins in there is its child. */
  within<Result>(work: () => Result): Result
  /** Its end; `failed` marks it as a fault of ours or of a bank. */
  end(attributes: TraceAttributes, failed: boolean): void
}

/** A call that has just ended. */
export type EndedCall = { readonly name: string; readonly milliseconds: number; readonly failed: boolean }

/** Writes traces. */
export type Trace = {
  /** A request, below the caller's own trace when it sent a sound `traceparent`. */
  beginRequest(name: string, traceparent: string | undefined, attributes: TraceAttributes): OpenSpan
  /** A round of a sweep; one that is never ended is never told. */
  beginRound(name: string): OpenSpan
  /** A call, below whatever is under way. */
  addCall(call: EndedCall, attributes: TraceAttributes): void
  /** Sends what is left. */
  close(): Promise<void>
}

/** A collector that does not answer must not hold up the end of the program for longer. */
const EXPORT_TIMEOUT_MILLISECONDS = 5_000
/** W3C Trace Context, version 00: trace id, span id, flags. Zeros alone are no id. */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/
/** The flag by which a caller says that it keeps this trace. */
const SAMPLED = 1

/** Opens the way to a collector; `url` is what `OTEL_EXPORTER_OTLP_ENDPOINT` holds. */
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
      const caller = callerOf(traceparent)
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
    close: () => provider.shutdown(),
  }
}

function callerOf(traceparent: string | undefined): SpanContext | undefined {
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
