/** Opens the entries of an account to a caller: company, account, bank and product, and how that bank is asked. */
import { bankOf, requireAccount } from '../accounts/require-account.ts'
import type { AccountProduct, BankCaller } from '../banks/connector/connector.ts'
import type { Bank, BankProduct } from '../banks/directory/bank.ts'
import { requireCompany } from '../companies/require-company.ts'
import type { ConsentAccount } from '../consents/accounts/consent-account.ts'
import { callerAtBank } from '../consents/caller-at-bank.ts'
import { type Consent, type ConsentCaller, isInForce } from '../consents/consent.ts'
import { consentOf } from '../consents/find-consent.ts'
import { type AccountRead, countingRead } from '../consents/unattended-reads/unattended-reads.ts'
import { withLiveTokens } from '../consents/with-live-tokens.ts'
import type { Context } from '../context.ts'
import { refuse } from '../platform/http/errors/api-error.ts'

/** An account whose entries may be read, and what asks its bank. */
export type EntryReading = {
  readonly bank: Bank
  readonly account: ConsentAccount
  readonly accounts: AccountProduct
  /**
   * On whose behalf the bank is asked, with the consent's tokens of this moment. Throws `INVALID_CONSENT` once the consent
   * is no longer in force: what is read for a while stops as soon as the access that was given does.
   */
  caller(): Promise<BankCaller>
  /** Has the bank asked; one that says that it has ended the consent is believed. */
  asking<Result>(work: () => Promise<Result>): Promise<Result>
  /** Counts a request that is made without the user, against those of its kind a day. */
  counting<Result>(kind: AccountRead['kind'], work: () => Promise<Result>): Promise<Result>
}

/** Throws `forbidden`, `INACTIVE_SUBSCRIPTION`, `INVALID_ACCOUNT`, `UNSUPPORTED_PRODUCT_BY_BANK` or `unavailable`. */
export async function openReading(
  context: Context,
  caller: ConsentCaller,
  accountId: string,
  product: BankProduct,
): Promise<EntryReading> {
  const { consent, psu } = caller
  await requireCompany(context, consent.partnerId, consent.countryCode, consent.organisationNumber)
  const account = await requireAccount(context, caller, accountId)
  const bank = await bankOf(context, caller)
  const { accounts } = context.banks.connectorOf(bank)
  if (accounts === undefined || !bank.profile.products.includes(product)) {
    throw refuse('UNSUPPORTED_PRODUCT_BY_BANK', `${bank.name} does not show this of accounts`)
  }
  return {
    bank,
    account,
    accounts,
    caller: async () => {
      await requireStillInForce(context, consent)
      return await callerAtBank(context, { bank, consent, psu })
    },
    asking: (work) => withLiveTokens(context, { partnerId: consent.partnerId, consentId: consent.id }, work),
    counting: (kind, work) => countingRead(context, { bank, consent, psu, kind, stableId: account.stableId }, work),
  }
}

async function requireStillInForce(context: Context, { partnerId, id }: Consent): Promise<void> {
  const consent = await consentOf(context, { partnerId, consentId: id })
  if (consent === undefined || !isInForce(consent, context.clock.now())) {
    throw refuse('INVALID_CONSENT', 'The consent has ended while the account was read')
  }
}
