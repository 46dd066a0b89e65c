/** Translates consents: the terms of a request into its body, and the standard's status. */
import type { BankConsentRequest, BankConsentState } from '../../connector/connector.ts'
import type { Dialect } from './dialect.ts'

/** By the standard's status. A map, because a plain object also has properties such as `constructor`. */
export const consentStates: ReadonlyMap<string, BankConsentState['state']> = new Map(
  Object.entries<BankConsentState['state']>({
    received: 'pending',
    partiallyAuthorised: 'pending',
    valid: 'valid',
    rejected: 'rejected',
    revokedByPsu: 'revoked-by-user',
    terminatedByTpp: 'revoked',
    expired: 'expired',
  }),
)

/** The body of a consent request: recurring, never combined with payments in one session. */
export function consentBody(terms: BankConsentRequest, dialect: Dialect): Record<string, unknown> {
  const everything = dialect.askOwnerName ? 'allAccountsWithOwnerName' : 'allAccounts'
  // With empty lists the user selects the accounts at the bank.
  const offered = {
    accounts: [],
    balances: [],
    transactions: [],
    ...(dialect.askOwnerName ? { additionalInformation: { ownerName: [] } } : {}),
  }
  return {
    access: dialect.consentAccess === 'bank-offered' ? offered : { allPsd2: everything },
    recurringIndicator: true,
    validUntil: terms.validUntil.toString(),
    frequencyPerDay: dialect.frequencyPerDay,
    combinedServiceIndicator: false,
  }
}
