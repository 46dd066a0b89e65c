/** Lets a fault of the control API strike a call: before the bank does its work, or when the answer is due. */

import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import type { Fault } from '../faults.ts'
import { refuse } from '../refusal.ts'

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

/** Strikes before the work; answers whether the call is over. */
export async function strikeBefore(fault: Fault | undefined, reply: FastifyReply): Promise<boolean> {
  switch (fault?.effect) {
    case 'down':
      reply.hijack()
      reply.raw.destroy()
      return true
    case 'status': {
      const status = fault.status ?? DEFAULT_STATUS
      throw refuse(status, codeByStatus[status] ?? 'INTERNAL_SERVER_ERROR', 'A fault that the control API asked for')
    }
    case 'slow':
      await delay(fault.milliseconds ?? 0, undefined, { ref: false })
      return false
    default:
      return false
  }
}

/** Answers that never go out; they are dropped when the server closes. */
export type WithheldAnswers = Set<ServerResponse>

/** Strikes when the work is done; answers whether the answer stays out. */
export function strikeAfter(fault: Fault | undefined, reply: FastifyReply, withheld: WithheldAnswers): boolean {
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
    default:
      return false
  }
}
