/** Makes a consent valid once its user has signed: opens the accounts, and ends the older consent it takes the place of. */
import { newId } from '../../../gateway/platform/ids.ts'
import { businessDay } from '../bank-calendar.ts'
import type { BankContext, BankTransaction } from '../bank-context.ts'
import type { Account, World } from '../fixture.ts'
import { scriptedEnd } from '../outcomes/scripted-user-lookup.ts'
import type { Notice } from '../push-notifications.ts'
import { accountNamed, accountsVisibleTo, bankOfRow } from '../world.ts'
import { type AccessReference, type Consent, type ConsentAccess, type ConsentStatus, modelOf } from './consent.ts'
import { insertOpenedAccounts, olderRecurringConsents, updateConsent } from './consent-store.ts'

/** Makes a consent valid; it is locked by the caller. */
export async function authoriseConsent(
  context: BankContext,
  transaction: BankTransaction,
  consent: Consent,
  signed: { readonly signerId: string; readonly at: Temporal.Instant },
): Promise<readonly Notice[]> {
  const bank = bankOfRow(context.world, consent.bank)
  const notices: Notice[] = []
  if (consent.recurring && bank.consent.newerEndsOlder) {
    for (const older of await olderRecurringConsents(transaction, consent)) {
      notices.push(await endConsent(transaction, older, 'terminatedByTpp'))
    }
  }
  const rows = accountsOffered(context.world, consent, signed.signerId).map((offer) => ({
    consent_id: consent.id,
    resource_id: newId(),
    ...offer,
  }))
  await insertOpenedAccounts(transaction, rows)
  const end = scriptedEnd(consent)
  await updateConsent(transaction, consent.id, {
    status: 'valid',
    ...(end === undefined ? {} : { due_at: signed.at.add(end.after).toString() }),
    signer_id: signed.signerId,
    last_action_on: businessDay(bank, signed.at).toString(),
  })
  return [...notices, consentNotice(consent, 'valid')]
}

/** Ends a consent for good. */
export async function endConsent(
  transaction: BankTransaction,
  consent: Consent,
  status: Exclude<ConsentStatus, 'received' | 'valid'>,
): Promise<Notice> {
  await updateConsent(transaction, consent.id, { status, due_at: null })
  return consentNotice(consent, status)
}

/** What there is to tell when a consent's status changes. */
function consentNotice(consent: Consent, consentStatus: ConsentStatus): Notice {
  const { id: consentId, notification_uri: uri, notification_content: content } = consent
  const last = consentStatus !== 'received' && consentStatus !== 'valid'
  return { uri, content, kind: 'PROCESS', last, body: { consentId, consentStatus } }
}

type Offer = { readonly bban: string; readonly balances: boolean; readonly transactions: boolean }

/** The accounts a consent opens for its signer, and what of each may be read. */
export function accountsOffered(world: World, consent: Consent, signerId: string): readonly Offer[] {
  const visible = accountsVisibleTo(world, consent.bank, signerId)
  const { access } = consent
  switch (modelOf(access)) {
    case 'bank-offered':
      return visible.map(({ bban }) => ({ bban, balances: true, transactions: true }))
    case 'global':
      return visible.map(({ bban }) => ({ bban, ...rightsOfGlobal(access) }))
    case 'detailed':
      return visible.flatMap((account) => offerOfListed(world, access, account))
  }
}

function rightsOfGlobal(access: ConsentAccess): Omit<Offer, 'bban'> {
  const isWhole = access.allPsd2 !== undefined
  return { balances: isWhole || access.availableAccountsWithBalance !== undefined, transactions: isWhole }
}

function offerOfListed(world: World, access: ConsentAccess, account: Account): readonly Offer[] {
  const bank = bankOfRow(world, account.bic)
  const isIn = (list: readonly AccessReference[] | undefined) =>
    (list ?? []).some((reference) => accountNamed(world, bank, reference) === account)
  const balances = isIn(access.balances)
  const transactions = isIn(access.transactions)
  return balances || transactions || isIn(access.accounts) ? [{ bban: account.bban, balances, transactions }] : []
}
