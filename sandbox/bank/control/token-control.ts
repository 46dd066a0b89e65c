/** Control of what third parties hold from an authorisation server: has it expire, or taken back. */
import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import type { BankContext } from '../bank-context.ts'
import { endGrantsOf, expireCodes, expireTokens } from '../oauth/oauth-store.ts'
import { bankByBic } from '../world.ts'
import { ControlRefusal } from './control-error.ts'

const Meant = Type.Object(
  {
    bank: Type.String(),
    /** Absent: all of them, and codes that nobody has exchanged yet. */
    kind: Type.Optional(Type.Union([Type.Literal('access'), Type.Literal('refresh')])),
    userId: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
)
type Meant = Static<typeof Meant>

export function tokenControl(context: BankContext, scope: FastifyInstance): void {
  scope.post<{ Body: Meant }>('/tokens/expire', { schema: { body: Meant } }, async ({ body }) => {
    const { bank, kind = null, userId = null } = requireServer(context, body)
    const at = context.clock.real()
    const codes = kind === null ? await expireCodes(context.database.query, bank, at) : 0
    return { expired: codes + (await expireTokens(context.database.query, { bank, kind, userId }, at)) }
  })
  scope.post<{ Body: Meant }>('/tokens/revoke', { schema: { body: Meant } }, async ({ body }) => {
    const { bank, userId = null } = requireServer(context, body)
    return { ended: await endGrantsOf(context.database.query, { bank, userId }, context.clock.real()) }
  })
}

function requireServer({ world }: BankContext, meant: Meant): Meant {
  const { bank } = meant
  if (bankByBic(world, bank)?.oauth !== 'integrated' && bankByBic(world, bank)?.oauth !== 'pre-step') {
    throw new ControlRefusal(400, `${bank} is no bank with an authorisation server`)
  }
  return meant
}
