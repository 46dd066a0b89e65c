/** Notes that a bank has ended the tokens that it was shown: a payment's own are forgotten, a consent's end the consent. */
import { BankRefusal } from '../banks/bank-refusal.ts'
import type { Context } from '../context.ts'
import { forgetBankTokens } from './bank-tokens.ts'
import { findConsent, moveConsent } from './consent-store.ts'

/** Whose tokens are shown: those of the payment where it has any, and the consent's. */
export type Shown = { readonly partnerId: string; readonly consentId: string; readonly paymentId?: string }

/**
 * Asks a bank something, once more with the consent's tokens when it refuses the payment's own. `work` finds its caller
 * anew each time; a bank that refuses a token has done nothing.
 */
export async function withLiveTokens<Result>(
  context: Context,
  shown: Shown,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof BankRefusal) || error.kind !== 'token-invalid') {
      throw error
    }
    const { partnerId, consentId, paymentId } = shown
    if (paymentId !== undefined && (await forgetBankTokens(context, { partnerId, subjectId: paymentId }))) {
      return await withLiveTokens(context, { partnerId, consentId }, work)
    }
    await endConsent(context, { partnerId, id: consentId })
    throw error
  }
}

/** Only one in force can be ended; until then its signing says what became of it. */
async function endConsent(context: Context, key: { readonly partnerId: string; readonly id: string }): Promise<void> {
  const consent = await findConsent(context, key)
  if (consent !== undefined) {
    const at = context.clock.now()
    await moveConsent(context.database.query, consent, { status: 'REVOKED', statusReason: 'BANK', at })
  }
}
