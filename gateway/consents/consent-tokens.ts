/** Keeps the tokens that open a consent for as long as it comes to something. */
import type { BankTokens } from '../banks/authorisation.ts'
import type { Context } from '../context.ts'
import { forgetBankTokens, keepBankTokens } from './bank-tokens.ts'
import type { Consent } from './consent.ts'
import { cameToNothing } from './consent.ts'
import { findConsent } from './consent-store.ts'

/** Keeps what the bank gave for a consent; false when it gave nothing, or what nobody waits for any more. */
export async function keepConsentTokens(
  context: Context,
  { partnerId, id }: Pick<Consent, 'partnerId' | 'id'>,
  tokens: BankTokens | null,
): Promise<boolean> {
  const isKept = await keepBankTokens(context, { partnerId, subjectIds: [id] }, tokens)
  const consent = isKept ? await findConsent(context, { partnerId, id }) : undefined
  if (consent !== undefined && cameToNothing(consent)) {
    await forgetBankTokens(context, { partnerId, subjectId: id })
    return false
  }
  return isKept
}
