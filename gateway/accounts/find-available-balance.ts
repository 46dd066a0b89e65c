/** Looks at what is on an account where any consent of the company shows it, for whoever has none at hand. */
import { BankRefusal } from '../banks/connector/bank-error.ts'
import { requireBank } from '../banks/directory/require-bank.ts'
import type { ConsentAccount } from '../consents/accounts/consent-account.ts'
import { callerAtBank } from '../consents/caller-at-bank.ts'
import type { Consent } from '../consents/consent.ts'
import { accountNumbered } from '../consents/find-account.ts'
import { consentsInForce } from '../consents/find-consent.ts'
import { countingRead } from '../consents/unattended-reads/unattended-reads.ts'
import { withLiveTokens } from '../consents/with-live-tokens.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../platform/http/errors/api-error.ts'
import type { Money } from '../platform/money.ts'

/** An account of a company, as an order names it. */
export type AccountSeen = {
  readonly partnerId: string
  readonly bic: string
  readonly countryCode: string
  readonly company: { readonly organisationNumber: string }
  readonly account: { readonly bban: string; readonly currency: string }
}

/**
 * What is available on it, or booked where the bank says no more. Null where no consent shows the account, and where the
 * bank cannot be asked: nobody waits for this. It counts as a read without the user.
 */
export async function balanceAsSeen(context: Context, asked: AccountSeen): Promise<Money | null> {
  const { partnerId, bic, countryCode, company, account: wanted } = asked
  const { organisationNumber } = company
  try {
    for (const consent of await consentsInForce(context, { partnerId, bic, countryCode, organisationNumber })) {
      const account = await accountNumbered(context, consent, wanted.bban)
      if (account?.currency === wanted.currency) {
        return await readAt(context, consent, account)
      }
    }
    return null
  } catch (error) {
    if (error instanceof BankRefusal || error instanceof Refusal) {
      return null
    }
    throw error
  }
}

async function readAt(context: Context, consent: Consent, account: ConsentAccount): Promise<Money | null> {
  const bank = await requireBank(context.banks, consent.bic)
  const { accounts } = context.banks.connectorOf(bank)
  if (accounts === undefined) {
    return null
  }
  const shown = { partnerId: consent.partnerId, consentId: consent.id }
  const ask = async () =>
    accounts.balance(await callerAtBank(context, { bank, consent, psu: null }), account.resourceId)
  const read = { bank, consent, psu: null, kind: 'balance', stableId: account.stableId } as const
  const { available, booked } = await countingRead(context, read, () => withLiveTokens(context, shown, ask))
  return available ?? booked
}
