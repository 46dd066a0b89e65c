/** Reads what is on an account. */
import type { AccountBalance } from '../../contract/accounts.ts'
import { requireCompany } from '../companies/require-company.ts'
import { callerAtBank } from '../consents/caller-at-bank.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import { countingRead } from '../consents/unattended-reads/unattended-reads.ts'
import { withLiveTokens } from '../consents/with-live-tokens.ts'
import type { Context } from '../context.ts'
import { printTimestamp } from '../platform/format-timestamp.ts'
import { refuse } from '../platform/http/errors/api-error.ts'
import { printMoney } from '../platform/money.ts'
import { bankOf, requireAccount } from './require-account.ts'

/** Asks the bank, for a company that is served; a balance that it does not tell is absent. */
export async function readBalance(context: Context, caller: ConsentCaller, accountId: string): Promise<AccountBalance> {
  const { partnerId, countryCode, organisationNumber } = caller.consent
  await requireCompany(context, partnerId, countryCode, organisationNumber)
  const account = await requireAccount(context, caller, accountId)
  const bank = await bankOf(context, caller)
  const { accounts } = context.banks.connectorOf(bank)
  if (accounts === undefined) {
    throw refuse('UNSUPPORTED_PRODUCT_BY_BANK', `${bank.name} shows no accounts`)
  }
  const { consent, psu } = caller
  const shown = { partnerId, consentId: consent.id }
  const ask = async () => accounts.balance(await callerAtBank(context, { bank, consent, psu }), account.resourceId)
  const read = { bank, consent, psu, kind: 'balance', stableId: account.stableId } as const
  const { available, booked } = await countingRead(context, read, () => withLiveTokens(context, shown, ask))
  return {
    ...(available === null ? {} : { availableBalance: printMoney(available) }),
    ...(booked === null ? {} : { bookedBalance: printMoney(booked) }),
    timestamp: printTimestamp(context.clock.now()),
  }
}
