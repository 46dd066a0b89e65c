/** Stores the tokens of a consent, and releases them once it has ended and nothing needs them. */

import { hasPendingScaSessions } from '../../authorisations/find-sca-sessions.ts'
import { BankError } from '../../banks/connector/bank-error.ts'
import type { BankTokens } from '../../banks/connector/sca-authorisation.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { nextAttemptAt } from '../../platform/jobs/retry-backoff.ts'
import { bankOfConsent } from '../call-bank.ts'
import { type Consent, hasEnded, wasNeverAccepted } from '../consent.ts'
import { getEndedConsentState, recordTokenRelease, scheduleTokenRelease } from '../consent-schedule-store.ts'
import { findConsent, hasOtherGrantedConsent } from '../consent-store.ts'
import { deleteTokens } from './bank-token-store.ts'
import { revokeBankGrant, storeBankTokens } from './bank-tokens.ts'

/** Whether something is still polled at the bank under a consent, for example payments. */
export type HasPollingUnderConsent = (
  context: Context,
  consent: Pick<Consent, 'partnerId' | 'id' | 'bic'>,
) => Promise<boolean>

/** Delay between two checks whether polling under the consent has ended. */
const CHECK_AGAIN = { hours: 24 }
/** Backoff while a bank fails to revoke a grant; after the last attempt the tokens are deleted anyway. */
const TRY_AGAIN = { leastSeconds: 300, mostSeconds: 21_600 }
const ATTEMPTS_MAX = 20

/** Stores the tokens of a consent; false when there are none, or when the consent was never accepted. */
export async function storeConsentTokens(
  context: Context,
  { partnerId, id }: Pick<Consent, 'partnerId' | 'id'>,
  tokens: BankTokens | null,
): Promise<boolean> {
  const isStored = await storeBankTokens(context, { partnerId, subjectIds: [id] }, tokens)
  const consent = isStored ? await findConsent(context, { partnerId, id }) : undefined
  if (consent !== undefined && hasEnded(consent)) {
    await scheduleTokenRelease(context.database, consent, context.clock.now())
  }
  return isStored && !(consent !== undefined && wasNeverAccepted(consent))
}

/** Revokes the grant of an ended consent at its bank, and deletes the tokens; postponed while they are needed. */
export async function releaseConsentTokens(
  context: Context,
  key: Pick<Consent, 'partnerId' | 'id'>,
  hasPolling: HasPollingUnderConsent,
): Promise<void> {
  const { clock, database } = context
  const consent = await findConsent(context, key)
  if (consent === undefined || !hasEnded(consent)) {
    return
  }
  const { isRevocationPending, releaseAttempts } = await getEndedConsentState(database, key)
  if (isRevocationPending || (await hasPendingScaSessions(context, consent)) || (await hasPolling(context, consent))) {
    await recordTokenRelease(database, key, { releaseAt: clock.now().add(CHECK_AGAIN), tried: false })
  } else if (await tryRevokeGrant(context, consent, releaseAttempts + 1 >= ATTEMPTS_MAX)) {
    // Without a transaction, a crash in between would leave tokens that belong to nothing, and are never deleted.
    await inTransaction(context, async ({ database }) => {
      await deleteTokens(database.query, key.partnerId, [key.id])
      await recordTokenRelease(database, key, { releaseAt: null, tried: true })
    })
  } else {
    await recordTokenRelease(database, key, {
      releaseAt: nextAttemptAt(consent.updatedAt, clock.now(), TRY_AGAIN),
      tried: true,
    })
  }
}

/** False when the revocation is to be retried. */
async function tryRevokeGrant(context: Context, consent: Consent, isLast: boolean): Promise<boolean> {
  try {
    const bank = await bankOfConsent(context, consent)
    // Some servers have one grant per user: revoking that of an older consent would end the newer one's.
    if (!(await hasOtherGrantedConsent(context, consent))) {
      await revokeBankGrant(context, bank, { partnerId: consent.partnerId, subjectId: consent.id })
    }
    return true
  } catch (error) {
    const rejection = error instanceof BankError ? error.kind : String(error)
    context.log.warn(
      { consentId: consent.id, rejection, isLast },
      'the grant of a consent could not be revoked at its bank',
    )
    return isLast
  }
}
