/** Reads the balance of an account. */
import type { AccountBalance } from '../../contract/accounts.ts'
import { requireCompany } from '../companies/require-company.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import { bankCallerOf } from '../consents/tokens/bank-caller.ts'
import { withTokenRetry } from '../consents/tokens/with-token-retry.ts'
import { withReadQuota } from '../consents/unattended-reads/unattended-reads.ts'
import type { Context } from '../context.ts'
import { apiError } from '../platform/http/errors/api-error.ts'
import { formatMoney } from '../platform/money.ts'
import { formatTimestamp } from '../platform/time-format.ts'
import { bankOf, requireConsentAccount } from './require-consent-account.ts'

/** Reads the balance at the bank; a balance that the bank does not report is absent. */
export async function getAccountBalance(
  context: Context,
  caller: ConsentCaller,
  accountId: string,
): Promise<AccountBalance> {
  const { partnerId, countryCode, organisationNumber } = caller.consent
  await requireCompany(context, partnerId, countryCode, organisationNumber)
  const account = await requireConsentAccount(context, caller, accountId)
  const bank = await bankOf(context, caller)
  const { accounts } = context.banks.connectorOf(bank)
  if (accounts === undefined) {
    throw apiError('UNSUPPORTED_PRODUCT_BY_BANK', `${bank.name} does not support reading accounts`)
  }
  const { consent, psu } = caller
  const subject = { partnerId, consentId: consent.id, service: 'AIS' } as const
  const readBalance = async () =>
    accounts.balance(await bankCallerOf(context, { bank, consent, service: 'AIS', psu }), account.resourceId)
  const read = { bank, consent, psu, kind: 'balance', stableId: account.stableId } as const
  const { available, booked } = await withReadQuota(context, read, () => withTokenRetry(context, subject, readBalance))
  return {
    ...(available === null ? {} : { availableBalance: formatMoney(available) }),
    ...(booked === null ? {} : { bookedBalance: formatMoney(booked) }),
    timestamp: formatTimestamp(context.clock.now()),
  }
}
