/** Authorises account reads of third parties: a valid consent, its accounts, and the agreed frequency. */
import { updateRow } from '../../rows.ts'
import { businessDay } from '../bank-calendar.ts'
import type { Consent } from '../consents/consent.ts'
import { consentById, countRead, type OpenedAccount, openedAccounts } from '../consents/consent-store.ts'
import type { Context } from '../context.ts'
import type { Account } from '../fixture.ts'
import { accountOf } from '../fixture-lookup.ts'
import { part, type Xs2aCall } from '../xs2a/xs2a-call.ts'
import { xs2aError } from '../xs2a-error.ts'

/** An account on a consent, with its fixture row. */
export type ReadableAccount = { readonly opened: OpenedAccount; readonly account: Account }

/** The kinds of read. Each is counted separately, as the standard counts endpoints, and so are each entry's details. */
type ReadKind = 'account' | 'balances' | 'transactions' | 'pending' | `details ${string}` | 'download'

export type AuthorisedRead = { readonly consent: Consent; readonly accounts: readonly ReadableAccount[] }

export async function authoriseAccountListRead(context: Context, call: Xs2aCall): Promise<AuthorisedRead> {
  const consent = await requireValidConsent(context, call)
  await countUnattendedRead(context, call, consent, 'accounts')
  return { consent, accounts: await readableAccounts(context, consent) }
}

/** Authorises a read of one account; `kind` is counted separately. */
export async function authoriseAccountRead(
  context: Context,
  call: Xs2aCall,
  kind: ReadKind,
): Promise<ReadableAccount & { readonly consent: Consent }> {
  const consent = await requireValidConsent(context, call)
  const accountId = part(call, 'accountId')
  const found = (await readableAccounts(context, consent)).find(({ opened }) => opened.resource_id === accountId)
  if (found === undefined) {
    throw xs2aError(404, 'RESOURCE_UNKNOWN', 'The consent does not include this account')
  }
  requireRight(kind, found.opened)
  if (kind !== 'download') {
    await countUnattendedRead(context, call, consent, `${kind} ${found.account.bban}`)
  }
  return { consent, ...found }
}

async function requireValidConsent(context: Context, { bank, headers }: Xs2aCall): Promise<Consent> {
  if (headers.consentId === null) {
    throw xs2aError(400, 'FORMAT_ERROR', 'Consent-ID is mandatory here', 'Consent-ID')
  }
  const consent = await consentById(context, bank.bic, headers.consentId)
  if (consent === undefined) {
    throw xs2aError(400, 'CONSENT_UNKNOWN', 'The bank knows no such consent', 'Consent-ID')
  }
  if (consent.status === 'expired') {
    throw xs2aError(401, 'CONSENT_EXPIRED', `The consent ended after ${consent.valid_until}`)
  }
  if (consent.status !== 'valid') {
    throw xs2aError(401, 'CONSENT_INVALID', `The consent is ${consent.status}`)
  }
  return consent
}

async function readableAccounts(context: Context, consent: Consent): Promise<readonly ReadableAccount[]> {
  const opened = await openedAccounts(context, consent.id)
  return opened.flatMap((row) => {
    const account = accountOf(context.fixture, consent.bank, row.bban)
    return account === undefined ? [] : [{ opened: row, account }]
  })
}

function requireRight(kind: ReadKind, opened: OpenedAccount): void {
  const isAllowed = kind === 'account' || (kind === 'balances' ? opened.balances : opened.transactions)
  if (!isAllowed) {
    throw xs2aError(401, 'CONSENT_INVALID', `The consent does not include the ${kind} of this account`)
  }
}

/**
 * Reads without the PSU's IP address count against the agreed frequency; following a page link does not count again.
 */
async function countUnattendedRead(context: Context, call: Xs2aCall, consent: Consent, subject: string): Promise<void> {
  const day = businessDay(call.bank, context.clock.now())
  if (call.headers.psuIpAddress === null && call.query['page'] === undefined) {
    const count = await countRead(context, { consentId: consent.id, day, subject })
    if (count > consent.frequency_per_day) {
      throw xs2aError(429, 'ACCESS_EXCEEDED', `The consent permits ${consent.frequency_per_day} such reads a day`)
    }
  }
  if (!consent.last_action_on.equals(day)) {
    await updateRow(context, 'consents', consent, { last_action_on: day.toString() })
  }
}
