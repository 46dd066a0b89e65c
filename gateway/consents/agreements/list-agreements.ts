/** Lists a partner's agreements with the accounts that files may debit. */
import type { Context } from '../../context.ts'
import { listConsentAccounts } from '../accounts/consent-account-store.ts'
import { requireBankConsentId } from '../consent.ts'
import { findConsents } from '../consent-store.ts'
import type { Agreement } from './agreement.ts'
import { listAgreementIds } from './agreement-store.ts'

/** Newest first, including ended ones. */
export async function listAgreements(context: Context, partnerId: string): Promise<readonly Agreement[]> {
  const ids = await listAgreementIds(context.database, partnerId)
  const consents = await findConsents(
    context,
    ids.map((id) => ({ partnerId, id })),
  )
  const shown = consents.map(async (consent) => {
    if (consent === null) {
      return []
    }
    const accounts = await listConsentAccounts(context.database, { partnerId, consentId: consent.id })
    return [{ ...consent, number: requireBankConsentId(consent), accounts }]
  })
  return (await Promise.all(shown)).flat()
}
