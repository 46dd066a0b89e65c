/** Applies an injected fault to a call: before it is processed, or when its response is sent. */
import type { FastifyReply } from 'fastify'
import type { Fault } from '../faults.ts'
import type { ProviderContext } from '../provider-context.ts'

/** Returns whether the call has ended. */
export function injectFaultBefore(
  fault: Fault | undefined,
  { sessions }: ProviderContext,
  reply: FastifyReply,
): boolean {
  switch (fault?.effect) {
    // `down` is here for a request that came in just before the port was closed.
    case 'down':
    case 'drop-request':
      reply.hijack()
      reply.raw.destroy()
      return true
    case 'session-lost':
      sessions.deleteAll()
      return false
    default:
      return false
  }
}

/** Returns whether the response is withheld. */
export function injectFaultAfter(fault: Fault | undefined, reply: FastifyReply, body: object): boolean {
  switch (fault?.effect) {
    case 'lose-answer':
      reply.hijack()
      reply.raw.destroy()
      return true
    case 'cut-answer': {
      const text = JSON.stringify(body)
      reply.hijack()
      reply.raw.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
      reply.raw.write(text.slice(0, text.length / 2), () => reply.raw.destroy())
      return true
    }
    default:
      return false
  }
}
