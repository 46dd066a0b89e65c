/** What an authorisation needs of a consent; makes it valid, opens its accounts, and terminates the one that it replaces. */

import { newId } from '../../../gateway/platform/ids.ts'
import { findRow, insertRow, updateRow } from '../../rows.ts'
import type { ScaTarget } from '../authorisations/sca-target.ts'
import { scriptedUser } from '../authorisations/scripted-user-lookup.ts'
import { businessDay } from '../bank-calendar.ts'
import type { Context } from '../context.ts'
import type { Account, BankFixture } from '../fixture.ts'
import { accountOfReference, accountsVisibleTo, requireBankByBic } from '../fixture-lookup.ts'
import { statusNotification } from '../push-notifications.ts'
import { xs2aError } from '../xs2a-error.ts'
import { type AccessReference, type Consent, type ConsentAccess, type ConsentStatus, modelOf } from './consent.ts'
import { olderRecurringConsents } from './consent-store.ts'

/** The caller holds the lock on the consent. */
async function authoriseConsent(
  context: Context,
  consent: Consent,
  signed: { readonly signerId: string; readonly at: Temporal.Instant },
): Promise<void> {
  const bank = requireBankByBic(context.fixture, consent.bank)
  if (consent.recurring && bank.consent.newerEndsOlder) {
    for (const older of await olderRecurringConsents(context, consent)) {
      await endConsent(context, older, 'terminatedByTpp')
    }
  }
  for (const offer of accountsOffered(context.fixture, consent, signed.signerId)) {
    await insertRow(context, 'consent_accounts', { consent_id: consent.id, resource_id: newId(), ...offer })
  }
  const end = scriptedUser(consent.psu_id)?.consentEnds
  await updateRow(context, 'consents', consent, {
    status: 'valid',
    ...(end === undefined ? {} : { due_at: signed.at.add(end.after).toString() }),
    signer_id: signed.signerId,
    last_action_on: businessDay(bank, signed.at).toString(),
  })
  notifyConsentStatus(context, consent, 'valid')
}

export async function endConsent(
  context: Context,
  consent: Consent,
  status: Exclude<ConsentStatus, 'received' | 'valid'>,
): Promise<void> {
  await updateRow(context, 'consents', consent, { status, due_at: null })
  notifyConsentStatus(context, consent, status)
}

function notifyConsentStatus({ push }: Context, consent: Consent, consentStatus: ConsentStatus): void {
  const last = consentStatus !== 'received' && consentStatus !== 'valid'
  push.send(statusNotification(consent, last, { consentId: consent.id, consentStatus }))
}

type OfferedAccount = { readonly bban: string; readonly balances: boolean; readonly transactions: boolean }

/** The accounts that a consent opens for its user, with the access to each. */
export function accountsOffered(fixture: BankFixture, consent: Consent, signerId: string): readonly OfferedAccount[] {
  const visible = accountsVisibleTo(fixture, consent.bank, signerId)
  const { access } = consent
  switch (modelOf(access)) {
    case 'bank-offered':
      return visible.map(({ bban }) => ({ bban, ...rightsOfEmptyLists(access) }))
    case 'global':
      return visible.map(({ bban }) => ({ bban, ...rightsOfGlobal(access) }))
    case 'detailed':
      return visible.flatMap((account) => offeredAccountsOf(fixture, access, account))
  }
}

function rightsOfGlobal(access: ConsentAccess): Omit<OfferedAccount, 'bban'> {
  const isWhole = access.allPsd2 !== undefined
  return { balances: isWhole || access.availableAccountsWithBalance !== undefined, transactions: isWhole }
}

/** An empty list asks for what it is named after, of all accounts (API, `accountAccess`). */
function rightsOfEmptyLists({ balances, transactions }: ConsentAccess): Omit<OfferedAccount, 'bban'> {
  return { balances: balances !== undefined, transactions: transactions !== undefined }
}

function offeredAccountsOf(fixture: BankFixture, access: ConsentAccess, account: Account): readonly OfferedAccount[] {
  const bank = requireBankByBic(fixture, account.bic)
  const isIn = (list: readonly AccessReference[] | undefined) =>
    (list ?? []).some((reference) => accountOfReference(fixture, bank, reference) === account)
  const balances = isIn(access.balances)
  const transactions = isIn(access.transactions)
  return balances || transactions || isIn(access.accounts) ? [{ bban: account.bban, balances, transactions }] : []
}

export async function lockConsentTarget(context: Context, id: string): Promise<ScaTarget | undefined> {
  const consent = await findRow(context, 'consents', { id }, { lock: true })
  if (consent === undefined) {
    return undefined
  }
  const isOpen = consent.status === 'received'
  return {
    resource: consent,
    path: `/consents/${id}`,
    isOpen,
    signedBy: new Set(),
    /** A payment may be authorised by another user of the company; a consent only by the user it was requested for. */
    requireStartable: async ({ headers: { psuId } }) => {
      if (isOpen && psuId !== null && consent.psu_id !== null && psuId !== consent.psu_id) {
        throw xs2aError(400, 'PARAMETER_NOT_CONSISTENT', 'The consent was requested for another user', 'PSU-ID')
      }
    },
    rejectionReason: ({ id: userId }) =>
      consent.psu_id === null || consent.psu_id === userId
        ? null
        : 'Only the user for whom it was requested can give this consent.',
    storeNotificationTarget: (change) => updateRow(context, 'consents', consent, change),
    approve: (signed) => authoriseConsent(context, consent, signed),
    reject: () => endConsent(context, consent, 'rejected'),
  }
}
