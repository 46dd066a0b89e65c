/** Runs bank requests under a consent, and finds out whether it has ended when the bank rejects tokens or consent. */
import { UnexplainedTokenRejection } from '../../banks/connector/bank-error.ts'
import { isBankError } from '../../banks/connector/bank-error-classification.ts'
import type { Context } from '../../context.ts'
import { consentOf } from '../consent-lookup.ts'
import { recordEndedByBank, refreshConsent } from '../refresh-consent.ts'
import { type BankService, usesConsentTokens } from './bank-caller.ts'
import { deleteGrant, findTokens, type GrantKey } from './bank-token-store.ts'

/** Whose tokens a request carries: the payment's if it has any, otherwise the consent's where they are valid for it. */
export type TokenSubject = {
  readonly partnerId: string
  readonly consentId: string
  readonly service: BankService
  readonly paymentId?: string
}

/**
 * `work` builds its caller on each call. A rejected token has been renewed by then, and the renewed one rejected: a
 * payment's own tokens are deleted once they were rejected as well, and `work` is called without them, since a bank that
 * rejects a token has done nothing. In all other cases the bank is asked for the consent, and its state recorded.
 */
export async function withTokenRetry<Result>(
  context: Context,
  subject: TokenSubject,
  work: () => Promise<Result>,
): Promise<Result> {
  const { paymentId, ...ofConsent } = subject
  try {
    return await work()
  } catch (error) {
    if (isBankError(error, 'token-invalid') && paymentId !== undefined) {
      const grant = await findTokens(context.database, { partnerId: subject.partnerId, subjectId: paymentId })
      if (grant !== undefined) {
        return await retryWithTokens(context, { grant, ofConsent }, work)
      }
    }
    if (isBankError(error, 'token-invalid', 'consent-invalid')) {
      await refreshRejectedConsent(context, subject)
    }
    throw error
  }
}

/**
 * The rejected call may have begun before the payment had these tokens: they are deleted only when they are rejected, too.
 * Tokens that another signature has stored since then stay.
 */
async function retryWithTokens<Result>(
  context: Context,
  { grant, ofConsent }: { readonly grant: GrantKey; readonly ofConsent: TokenSubject },
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!isBankError(error, 'token-invalid')) {
      throw error
    }
    await deleteGrant(context.database, grant)
    return await withTokenRetry(context, ofConsent, work)
  }
}

/**
 * A token that the bank rejects even for the consent itself has ended that; at a bank without tokens such an answer says
 * nothing about it, and nowhere does one that names no error. The caller gets the bank's original error, even if this fails.
 */
async function refreshRejectedConsent(context: Context, subject: TokenSubject): Promise<void> {
  const consent = await consentOf(context, subject)
  const bank = consent && (await context.banks.find(consent.bic))
  // Only a consent in force can be ended; before that its SCA session determines the outcome.
  if (consent?.status !== 'ACCEPTED' || bank === undefined) {
    return
  }
  try {
    await refreshConsent(context, bank, consent)
  } catch (error) {
    const isExplained = isBankError(error, 'token-invalid') && !(error instanceof UnexplainedTokenRejection)
    if (isExplained && usesConsentTokens(bank, 'AIS')) {
      await recordEndedByBank(context, bank, consent)
      return
    }
    context.log.warn({ consentId: subject.consentId, error }, 'a consent that the bank rejected could not be read')
  }
}
