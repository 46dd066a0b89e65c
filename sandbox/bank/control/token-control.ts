/** Control API for OAuth tokens of third parties: expire or revoke them. */
import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import type { BankContext } from '../bank-context.ts'
import { bankByBic } from '../fixture-lookup.ts'
import { endGrantsMatching, expireCodes, expireTokens } from '../oauth/oauth-store.ts'
import { ControlError } from './control-error.ts'

const TokenSelection = Type.Object(
  {
    bank: Type.String(),
    /** Absent: all of them, and authorisation codes that were not exchanged yet. */
    kind: Type.Optional(Type.Union([Type.Literal('access'), Type.Literal('refresh')])),
    userId: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
)
type TokenSelection = Static<typeof TokenSelection>

export function tokenControl(context: BankContext, scope: FastifyInstance): void {
  scope.post<{ Body: TokenSelection }>('/tokens/expire', { schema: { body: TokenSelection } }, async ({ body }) => {
    const { bank, kind = null, userId = null } = requireServer(context, body)
    const at = context.clock.real()
    const codes = kind === null ? await expireCodes(context.database.query, bank, at) : 0
    return { expired: codes + (await expireTokens(context.database.query, { bank, kind, userId }, at)) }
  })
  scope.post<{ Body: TokenSelection }>('/tokens/revoke', { schema: { body: TokenSelection } }, async ({ body }) => {
    const { bank, userId = null } = requireServer(context, body)
    return { ended: await endGrantsMatching(context.database.query, { bank, userId }, context.clock.real()) }
  })
}

function requireServer({ fixture }: BankContext, meant: TokenSelection): TokenSelection {
  const { bank } = meant
  if (bankByBic(fixture, bank)?.oauth !== 'integrated' && bankByBic(fixture, bank)?.oauth !== 'pre-step') {
    throw new ControlError(400, `${bank} is no bank with an authorisation server`)
  }
  return meant
}
