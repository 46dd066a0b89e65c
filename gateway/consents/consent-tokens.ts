/** Keeps the tokens that open a consent, and lets them go once it has ended and nothing needs them any more. */

import { waitsUnder } from '../authorisations/has-pending-sca-sessions.ts'
import { BankRefusal } from '../banks/connector/bank-error.ts'
import type { BankTokens } from '../banks/connector/sca-authorisation.ts'
import type { Context } from '../context.ts'
import { retryAt } from '../platform/jobs/retry-backoff.ts'
import { type Consent, cameToNothing, hasEnded } from './consent.ts'
import { noteRelease, standingOfEnded } from './consent-schedule-store.ts'
import { findConsent, hasAnotherGranted } from './consent-store.ts'
import { releaseConsent } from './consent-transition-store.ts'
import { endBankTokens, forgetBankTokens, keepBankTokens } from './tokens/bank-tokens.ts'

/** Whether something is still followed at the bank that takes a consent's tokens, e.g. payments. */
export type IsFollowed = (context: Context, consent: Pick<Consent, 'partnerId' | 'id' | 'bic'>) => Promise<boolean>

/** Between two looks at whether what is followed has come to its end. */
const LOOK_AGAIN = { hours: 24 }
/** Between the attempts at a bank that does not end a grant; after so many the tokens are forgotten all the same. */
const TRY_AGAIN = { leastSeconds: 300, mostSeconds: 21_600 }
const ATTEMPTS_MAX = 20

/** Keeps what the bank gave for a consent; false when it gave nothing, or what nobody waits for any more. */
export async function keepConsentTokens(
  context: Context,
  { partnerId, id }: Pick<Consent, 'partnerId' | 'id'>,
  tokens: BankTokens | null,
): Promise<boolean> {
  const isKept = await keepBankTokens(context, { partnerId, subjectIds: [id] }, tokens)
  const consent = isKept ? await findConsent(context, { partnerId, id }) : undefined
  if (consent !== undefined && hasEnded(consent)) {
    await releaseConsent(context.database, consent, context.clock.now())
  }
  return isKept && !(consent !== undefined && cameToNothing(consent))
}

/** Ends at its bank what the user of an ended consent granted, and forgets the tokens; later, where they are needed. */
export async function releaseTokens(
  context: Context,
  key: Pick<Consent, 'partnerId' | 'id'>,
  isFollowed: IsFollowed,
): Promise<void> {
  const { clock, database } = context
  const consent = await findConsent(context, key)
  if (consent === undefined || !hasEnded(consent)) {
    return
  }
  const { isToBeRevoked, releaseAttempts } = await standingOfEnded(database, key)
  if (isToBeRevoked || (await waitsUnder(context, consent)) || (await isFollowed(context, consent))) {
    await noteRelease(database, key, { releaseAt: clock.now().add(LOOK_AGAIN), tried: false })
  } else if (await isEnded(context, consent, releaseAttempts + 1 >= ATTEMPTS_MAX)) {
    await forgetBankTokens(context, { partnerId: key.partnerId, subjectId: key.id })
    await noteRelease(database, key, { releaseAt: null, tried: true })
  } else {
    await noteRelease(database, key, { releaseAt: retryAt(consent.updatedAt, clock.now(), TRY_AGAIN), tried: true })
  }
}

/** False when the bank is to be asked again. */
async function isEnded(context: Context, consent: Consent, isLast: boolean): Promise<boolean> {
  try {
    const bank = await context.banks.find(consent.bic)
    if (bank === undefined) {
      throw new BankRefusal('unavailable', 'The bank is not served at this moment')
    }
    // Some servers know one grant of a user to us: ending that of an older consent would end the newer one's.
    if (!(await hasAnotherGranted(context, consent))) {
      await endBankTokens(context, bank, { partnerId: consent.partnerId, subjectId: consent.id })
    }
    return true
  } catch (error) {
    const refusal = error instanceof BankRefusal ? error.kind : String(error)
    context.log.warn(
      { consentId: consent.id, refusal, isLast },
      'the grant of a consent could not be ended at its bank',
    )
    return isLast
  }
}
