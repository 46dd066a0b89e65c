/** Opens the entries of an account for a caller: checks access, and builds the bank requests. */

import type { Bank } from '../banks/connector/bank.ts'
import type { BankProduct } from '../banks/connector/bank-profile.ts'
import type { AccountProduct, RequestExecutor } from '../banks/connector/connector.ts'
import { requireBank } from '../banks/directory/bank-directory.ts'
import { requireCompany } from '../companies/require-company.ts'
import type { ConsentAccount } from '../consents/accounts/consent-account.ts'
import { callBank } from '../consents/call-bank.ts'
import { type Consent, type ConsentCaller, isInForce } from '../consents/consent.ts'
import { consentOf } from '../consents/consent-lookup.ts'
import { requireConsentAccount } from '../consents/require-consent.ts'
import { type AccountRead, withReadQuota } from '../consents/unattended-reads/unattended-reads.ts'
import type { Context } from '../context.ts'
import { apiError } from '../platform/http/errors/api-error.ts'

/** An account whose entries may be read, and how its bank is called. */
export type EntryReader = {
  readonly bank: Bank
  readonly account: ConsentAccount
  readonly accounts: AccountProduct
  /**
   * Makes a bank request with the consent's current tokens; if the bank reports that the consent has ended, that is
   * recorded. Throws `INVALID_CONSENT` once the consent is no longer in force, so that a long read stops with the access.
   */
  readonly request: RequestExecutor
  /** Counts a request without the user against the daily quota of its kind. */
  withQuota<Result>(kind: AccountRead['kind'], work: () => Promise<Result>): Promise<Result>
}

/** Throws `forbidden`, `INACTIVE_SUBSCRIPTION`, `INVALID_ACCOUNT`, `UNSUPPORTED_PRODUCT_BY_BANK` or `unavailable`. */
export async function openEntryReader(
  context: Context,
  caller: ConsentCaller,
  accountId: string,
  product: BankProduct,
): Promise<EntryReader> {
  const { consent, psu } = caller
  await requireCompany(context, consent)
  const account = await requireConsentAccount(context, caller, accountId)
  const bank = await requireBank(context.banks, caller.consent.bic)
  const { accounts } = context.banks.connectorOf(bank)
  if (accounts === undefined || !bank.profile.products.includes(product)) {
    throw apiError('UNSUPPORTED_PRODUCT_BY_BANK', `${bank.name} does not support ${product}`)
  }
  return {
    bank,
    account,
    accounts,
    request: async (call) => {
      await requireStillInForce(context, consent)
      return await callBank(context, { bank, consent, service: 'AIS', psu }, call)
    },
    withQuota: (kind, work) => withReadQuota(context, { bank, consent, psu, kind, stableId: account.stableId }, work),
  }
}

async function requireStillInForce(context: Context, { partnerId, id }: Consent): Promise<void> {
  const consent = await consentOf(context, { partnerId, consentId: id })
  if (consent === undefined || !isInForce(consent, context.clock.now())) {
    throw apiError('INVALID_CONSENT', 'The consent ended while the account was being read')
  }
}
