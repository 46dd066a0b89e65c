/** Runs bank requests under a consent, and records it when the bank reports that tokens or the consent have ended. */
import { isBankError } from '../../banks/connector/bank-error-classification.ts'
import type { Context } from '../../context.ts'
import { consentOf } from '../consent-lookup.ts'
import { recordEndedByBank, refreshConsent } from '../refresh-consent.ts'
import { bankTokenFingerprint, deleteBankTokens } from './bank-tokens.ts'

/**
 * The subject of the tokens: the payment if it has any, otherwise the consent; only the latter is ended by an invalid
 * token.
 */
export type TokenSubject = {
  readonly partnerId: string
  readonly consentId: string
  readonly paymentId?: string
}

/**
 * Another process may renew the tokens between two attempts; after so many rejections the consent is taken to have
 * ended.
 */
const ATTEMPTS_MAX = 4

/** The fingerprint of the rejected tokens of the consent, and the number of rejections. */
type RejectedTokens = { readonly fingerprint: string | undefined; readonly attempts: number }

/**
 * Retries with the consent's tokens when the bank rejects the payment's own, and with the tokens stored by then when it
 * rejects the consent's: another request may have renewed them meanwhile. `work` builds its caller on each call; a bank
 * that rejects a token has done nothing. The consent ends when the bank rejects the stored tokens. A consent that the
 * bank rejects is read there, and its state recorded.
 */
export async function withTokenRetry<Result>(
  context: Context,
  subject: TokenSubject,
  work: () => Promise<Result>,
): Promise<Result> {
  return await attempt(context, subject, work, { fingerprint: undefined, attempts: 0 })
}

async function attempt<Result>(
  context: Context,
  subject: TokenSubject,
  work: () => Promise<Result>,
  rejected: RejectedTokens,
): Promise<Result> {
  const { partnerId, consentId, paymentId } = subject
  try {
    return await work()
  } catch (error) {
    if (isBankError(error, 'consent-invalid')) {
      await refreshRejectedConsent(context, subject)
    }
    if (!isBankError(error, 'token-invalid')) {
      throw error
    }
    if (paymentId !== undefined && (await deleteBankTokens(context, { partnerId, subjectId: paymentId }))) {
      return await attempt(context, { partnerId, consentId }, work, rejected)
    }
    const fingerprint = await bankTokenFingerprint(context, { partnerId, subjectId: consentId })
    const attempts = rejected.attempts + 1
    if (fingerprint !== undefined && fingerprint !== rejected.fingerprint && attempts < ATTEMPTS_MAX) {
      return await attempt(context, subject, work, { fingerprint, attempts })
    }
    await endConsent(context, subject)
    throw error
  }
}

/** The caller gets the bank's original error, even if this fails. */
async function refreshRejectedConsent(context: Context, subject: TokenSubject): Promise<void> {
  try {
    const consent = await consentOf(context, subject)
    const bank = consent && (await context.banks.find(consent.bic))
    if (consent?.status === 'ACCEPTED' && bank !== undefined) {
      await refreshConsent(context, bank, consent)
    }
  } catch (error) {
    context.log.warn({ consentId: subject.consentId, error }, 'a consent that the bank rejected could not be read')
  }
}

/** Only a consent in force can be ended; before that its SCA session determines the outcome. */
async function endConsent(context: Context, subject: TokenSubject): Promise<void> {
  const consent = await consentOf(context, subject)
  if (consent?.status === 'ACCEPTED') {
    await recordEndedByBank(context, await context.banks.find(consent.bic), consent)
  }
}
