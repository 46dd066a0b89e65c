/** Asks a bank something under a consent, and notes it when the bank says that tokens or the consent itself have ended. */
import { BankRefusal } from '../banks/connector/bank-error.ts'
import type { Context } from '../context.ts'
import { consentOf } from './find-consent.ts'
import { lookAtConsent, noteEndedByBank } from './refresh-consent.ts'
import { forgetBankTokens, markOfTokens } from './tokens/bank-tokens.ts'

/** Whose tokens are shown: those of the payment where it has any, and those of the consent, which alone can be ended by it. */
export type Shown = {
  readonly partnerId: string
  readonly consentId: string
  readonly paymentId?: string
}

/** Others may renew the tokens between two attempts; a bank that refuses so many of them means the consent. */
const ATTEMPTS_MAX = 4

/** The consent's tokens as they were kept when the bank refused them, and how often it has. */
type Refused = { readonly mark: string | undefined; readonly attempts: number }

/**
 * Asks once more with the consent's tokens when the bank refuses the payment's own, and with those that are kept by now
 * when it refuses the consent's: another request may have renewed them meanwhile. `work` finds its caller anew each
 * time; a bank that refuses a token has done nothing. The consent ends when the bank refuses what is kept. A consent
 * that the bank refuses is read there, and what it says of it is kept.
 */
export async function withLiveTokens<Result>(
  context: Context,
  shown: Shown,
  work: () => Promise<Result>,
): Promise<Result> {
  return await attempt(context, shown, work, { mark: undefined, attempts: 0 })
}

async function attempt<Result>(
  context: Context,
  shown: Shown,
  work: () => Promise<Result>,
  refused: Refused,
): Promise<Result> {
  const { partnerId, consentId, paymentId } = shown
  try {
    return await work()
  } catch (error) {
    const kind = error instanceof BankRefusal ? error.kind : null
    if (kind === 'consent-invalid') {
      await readRefused(context, shown)
    }
    if (kind !== 'token-invalid') {
      throw error
    }
    if (paymentId !== undefined && (await forgetBankTokens(context, { partnerId, subjectId: paymentId }))) {
      return await attempt(context, { partnerId, consentId }, work, refused)
    }
    const mark = await markOfTokens(context, { partnerId, subjectId: consentId })
    const attempts = refused.attempts + 1
    if (mark !== undefined && mark !== refused.mark && attempts < ATTEMPTS_MAX) {
      return await attempt(context, shown, work, { mark, attempts })
    }
    await endConsent(context, shown)
    throw error
  }
}

/** Whatever comes of it, the refusal is what is told. */
async function readRefused(context: Context, shown: Shown): Promise<void> {
  try {
    const consent = await consentOf(context, shown)
    const bank = consent && (await context.banks.find(consent.bic))
    if (consent?.status === 'ACCEPTED' && bank !== undefined) {
      await lookAtConsent(context, bank, consent)
    }
  } catch (error) {
    context.log.warn({ consentId: shown.consentId, error }, 'a consent that the bank refused could not be read')
  }
}

/** Only one in force can be ended; until then its signing says what became of it. */
async function endConsent(context: Context, shown: Shown): Promise<void> {
  const consent = await consentOf(context, shown)
  if (consent?.status === 'ACCEPTED') {
    await noteEndedByBank(context, await context.banks.find(consent.bic), consent)
  }
}
