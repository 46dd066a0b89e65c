/** Returns the balance of an account: to the partner, and as what a payment can use of it. */
import type { AccountBalance } from '../../contract/accounts.ts'
import type { Bank } from '../banks/connector/bank.ts'
import type { BankBalance } from '../banks/connector/bank-account.ts'
import { BankError } from '../banks/connector/bank-error.ts'
import type { AccountProduct } from '../banks/connector/connector.ts'
import { requireBank } from '../banks/directory/bank-directory.ts'
import { requireCompany } from '../companies/require-company.ts'
import type { ConsentAccount } from '../consents/accounts/consent-account.ts'
import { findAccountByBban } from '../consents/accounts/find-account.ts'
import { callBank } from '../consents/call-bank.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import { consentsInForce } from '../consents/consent-lookup.ts'
import { requireConsentAccount } from '../consents/require-consent.ts'
import { withReadQuota } from '../consents/unattended-reads/unattended-reads.ts'
import type { Context } from '../context.ts'
import { formatTimestamp } from '../platform/clock.ts'
import { presentFields } from '../platform/collections.ts'
import { ApiError, apiError } from '../platform/http/errors/api-error.ts'
import { formatMoney, type Money } from '../platform/money.ts'

/** Reads the balance at the bank; a balance that the bank does not report is absent. */
export async function getAccountBalance(
  context: Context,
  caller: ConsentCaller,
  accountId: string,
): Promise<AccountBalance> {
  await requireCompany(context, caller.consent)
  const account = await requireConsentAccount(context, caller, accountId)
  const bank = await requireBank(context.banks, caller.consent.bic)
  const balance = await readBalance(context, bank, caller, account)
  if (balance === undefined) {
    throw apiError('UNSUPPORTED_PRODUCT_BY_BANK', `${bank.name} does not support reading accounts`)
  }
  const { available, booked } = balance
  return {
    ...presentFields({
      availableBalance: available && formatMoney(available),
      bookedBalance: booked && formatMoney(booked),
    }),
    timestamp: formatTimestamp(context.clock.now()),
  }
}

/** Returns undefined where the bank has no accounts. */
async function readBalance(
  context: Context,
  bank: Bank,
  { consent, psu }: Pick<ConsentCaller, 'consent' | 'psu'>,
  account: ConsentAccount,
): Promise<BankBalance | undefined> {
  const { accounts } = context.banks.connectorOf(bank)
  const quota = { bank, consent, psu, kind: 'balance', stableId: account.stableId } as const
  const read = (product: AccountProduct) =>
    callBank(context, { bank, consent, service: 'AIS', psu }, (caller) => product.balance(caller, account))
  return accounts && (await withReadQuota(context, quota, () => read(accounts)))
}

/** An account of a company, as an order names it. */
type CompanyAccount = {
  readonly partnerId: string
  readonly bic: string
  readonly countryCode: string
  readonly company: { readonly organisationNumber: string }
  readonly account: { readonly bban: string; readonly currency: string }
}

/**
 * The available balance, or the booked one where the bank reports no other. Null where no consent includes the account,
 * and where the bank cannot be read. Counts as a read without the user.
 */
export async function findAvailableBalance(context: Context, request: CompanyAccount): Promise<Money | null> {
  const { partnerId, countryCode, company, account: requested } = request
  const { organisationNumber } = company
  try {
    const bank = await requireBank(context.banks, request.bic)
    const { bic } = bank
    for (const consent of await consentsInForce(context, { partnerId, bic, countryCode, organisationNumber })) {
      const account = await findAccountByBban(context, consent, requested)
      if (account !== undefined) {
        const balance = await readBalance(context, bank, { consent, psu: null }, account)
        return balance?.available ?? balance?.booked ?? null
      }
    }
    return null
  } catch (error) {
    if (error instanceof BankError || error instanceof ApiError) {
      return null
    }
    throw error
  }
}
