/** Applies an injected fault to a call: before it is processed, or when its response is sent. */

import type { ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import type { Fault } from '../faults.ts'
import { xs2aError } from '../xs2a-error.ts'
import { malformAnswer } from './malform-answer.ts'
import type { Xs2aAnswer } from './xs2a-call.ts'

const codeByStatus: Readonly<Record<number, string>> = {
  400: 'FORMAT_ERROR',
  401: 'CERTIFICATE_INVALID',
  403: 'SERVICE_BLOCKED',
  404: 'RESOURCE_UNKNOWN',
  405: 'SERVICE_INVALID',
  409: 'STATUS_INVALID',
  429: 'ACCESS_EXCEEDED',
  503: 'SERVICE_UNAVAILABLE',
}
const DEFAULT_STATUS = 500
const BYTE_ORDER_MARK = '\ufeff'
/** The opening of a list, and its first entries. */
const PARTS_BEFORE_CUT = 2

/** Returns whether the call has ended. */
export async function injectFaultBefore(
  fault: Fault | undefined,
  reply: FastifyReply,
  cleared: AbortSignal,
): Promise<boolean> {
  switch (fault?.effect) {
    // Of a bank that is down: at the port of another one.
    case 'down':
    case 'drop-request':
      reply.hijack()
      reply.raw.destroy()
      return true
    case 'status': {
      const status = fault.status ?? DEFAULT_STATUS
      if (fault.retryAfter !== undefined) {
        reply.header('Retry-After', fault.retryAfter)
      }
      const body = fault.body ?? (fault.code === null ? '{}' : undefined)
      if (body !== undefined) {
        sendAsItStands(reply, { status, contentType: fault.contentType, body })
        return true
      }
      const code = fault.code ?? codeByStatus[status] ?? 'INTERNAL_SERVER_ERROR'
      throw xs2aError(status, code, 'A fault injected by the control API')
    }
    case 'slow':
      await delay(fault.milliseconds ?? 0, undefined, { ref: false, signal: cleared }).catch(() => undefined)
      return false
    default:
      return false
  }
}

/** Responses that are never sent; their connections are closed with the server. */
export type WithheldAnswers = Set<ServerResponse>

/** Returns whether the response is withheld. */
export function injectFaultAfter(
  fault: Fault | undefined,
  reply: FastifyReply,
  { answer, withheld }: { readonly answer: Xs2aAnswer; readonly withheld: WithheldAnswers },
): boolean {
  switch (fault?.effect) {
    case 'withhold-answer':
      reply.hijack()
      withheld.add(reply.raw)
      reply.raw.once('close', () => withheld.delete(reply.raw))
      return true
    case 'drop-connection':
      reply.hijack()
      reply.raw.destroy()
      return true
    case 'cut-answer':
      reply.hijack()
      cut(reply.raw, answer)
      return true
    case 'malform':
      reply.hijack()
      malformAnswer(answer, { mode: fault.mode ?? 'null', fields: fault.fields }).then((malformed) =>
        sendUnvalidated(reply, malformed),
      )
      return true
    case 'replace': {
      reply.hijack()
      const replaced = Object.fromEntries((fault.fields ?? []).map((name) => [name, fault.value ?? '']))
      sendUnvalidated(reply, { ...answer, body: { ...answer.body, ...replaced } })
      return true
    }
    case 'byte-order-mark':
      reply.hijack()
      sendUnvalidated(reply, answer, BYTE_ORDER_MARK)
      return true
    default:
      return false
  }
}

/** Sends an answer of the bank that is not validated, as all others are in tests. */
async function sendUnvalidated(reply: FastifyReply, answer: Xs2aAnswer, start = ''): Promise<void> {
  const { status, headers, body, stream } = answer
  const content = stream === undefined ? JSON.stringify(body) : await text(stream)
  sendAsItStands(reply, { status, headers, body: content === undefined ? undefined : `${start}${content}` })
}

type RawAnswer = {
  readonly status: number
  readonly headers?: Xs2aAnswer['headers'] | undefined
  readonly contentType?: string | undefined
  readonly body: string | undefined
}

function sendAsItStands(
  reply: FastifyReply,
  { status, headers, contentType = 'application/json', body }: RawAnswer,
): void {
  reply.hijack()
  const set = new Headers(
    Object.entries({ ...reply.getHeaders(), ...headers }).map(([name, value]) => [name, `${value}`]),
  )
  reply.raw.writeHead(status, { ...Object.fromEntries(set), 'content-type': contentType })
  reply.raw.end(body)
}

/** Sends the first half of a response, or the first parts of a stream, and then nothing more. */
async function cut(raw: ServerResponse, { status, body, stream }: Xs2aAnswer): Promise<void> {
  const text = JSON.stringify(body ?? {})
  const parts: AsyncIterable<string> | readonly string[] = stream ?? [text.slice(0, text.length / 2)]
  raw.writeHead(status, { 'Content-Type': 'application/json' })
  let left = stream === undefined ? 1 : PARTS_BEFORE_CUT
  for await (const part of parts) {
    await new Promise((resolve) => raw.write(part, resolve))
    left -= 1
    if (left === 0) {
      break
    }
  }
  raw.destroy()
}
