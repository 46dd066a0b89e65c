/** Control API for consents: list them, and end one as the user or the bank might. */

import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import { ControlError, onPost, requireFound } from '../../control-scope.ts'
import { findRow } from '../../rows.ts'
import { authorisationsByResource } from '../authorisations/authorisation-store.ts'
import { endConsent } from '../consents/authorise-consent.ts'
import { latestConsents } from '../consents/consent-store.ts'
import { type Context, inTransaction } from '../context.ts'

/** More consents than any test creates. */
const CONSENTS_MAX = 10_000
const ENDINGS = ['revokedByPsu', 'expired', 'terminatedByTpp', 'rejected'] as const
const BankQuery = Type.Object({ bank: Type.Optional(Type.String()) })
const Ending = Type.Object({ consentStatus: Type.Union(ENDINGS.map((status) => Type.Literal(status))) })
type Ending = Static<typeof Ending>

export function consentControl(context: Context, scope: FastifyInstance): void {
  scope.get<{ Querystring: Static<typeof BankQuery> }>(
    '/consents',
    { schema: { querystring: BankQuery } },
    async ({ query }) =>
      (await listConsents(context)).filter(({ bank }) => query.bank === undefined || bank === query.bank),
  )
  onPost(scope, '/consents/:id/status', Ending, ({ consentStatus }, { id }) => end(context, id, consentStatus))
}

async function listConsents(context: Context): Promise<readonly { readonly bank: string }[]> {
  const consents = await latestConsents(context, CONSENTS_MAX)
  const byConsent = await authorisationsByResource(context, consents)
  return consents.toReversed().map((consent) => ({
    consentId: consent.id,
    bank: consent.bank,
    consentStatus: consent.status,
    psuId: consent.psu_id,
    corporateId: consent.corporate_id,
    validUntil: consent.valid_until.toString(),
    createdAt: consent.created_at.toString(),
    authorisations: (byConsent.get(consent.id) ?? []).map(({ id, sca_status, outcome }) => ({
      authorisationId: id,
      scaStatus: sca_status,
      outcome,
    })),
  }))
}

async function end(context: Context, id: string, status: Ending['consentStatus']): Promise<object> {
  await inTransaction(context, async (context) => {
    const consent = requireFound(
      await findRow(context, 'consents', { id }, { lock: true }),
      'The bank knows no such consent',
    )
    if (consent.status !== 'received' && consent.status !== 'valid') {
      throw new ControlError(409, `The consent is ${consent.status} already`)
    }
    await endConsent(context, consent, status)
  })
  return { consentId: id, consentStatus: status }
}
