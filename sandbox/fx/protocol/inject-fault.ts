/** Lets a fault of the control API strike a call: before the provider does its work, or when the answer is due. */
import type { FastifyReply } from 'fastify'
import type { Fault } from '../faults.ts'
import type { ProviderContext } from '../provider-context.ts'

/** Strikes before the work; answers whether the call is over. */
export function strikeBefore(fault: Fault | undefined, { sessions }: ProviderContext, reply: FastifyReply): boolean {
  switch (fault?.effect) {
    case 'down':
      reply.hijack()
      reply.raw.destroy()
      return true
    case 'session-lost':
      sessions.forgetAll()
      return false
    default:
      return false
  }
}

/** Strikes when the work is done; answers whether the answer stays out. */
export function strikeAfter(fault: Fault | undefined, reply: FastifyReply, body: object): boolean {
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
