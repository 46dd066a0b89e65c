/** Activates a consent that the user has accepted: reads it and its accounts at the bank, and stores both. */

import type { Bank } from '../banks/connector/bank.ts'
import { BankError } from '../banks/connector/bank-error.ts'
import { endsAccess, isTemporary } from '../banks/connector/bank-error-classification.ts'
import type { BankConsentState } from '../banks/connector/connector.ts'
import { findRequestedCompany } from '../companies/require-company.ts'
import type { Context } from '../context.ts'
import { accountsOfCompany, type CompanyAccounts } from './accounts/consent-account.ts'
import { replaceAccounts } from './accounts/find-account.ts'
import { bankCallerOf, bankOfConsent, readConsentAtBank } from './call-bank.ts'
import { AUTHORISATION_TIME_MAX, type Consent, nextConsentRefresh } from './consent.ts'
import { endOfDay } from './expiry/consent-validity.ts'
import { detectReplacedConsents } from './poll-consent.ts'
import { transitionConsent } from './transition-consent.ts'
import { withReadQuotaRecorded } from './unattended-reads/unattended-reads.ts'

/** Idempotent. Throws the bank's error while the bank does not report the consent as valid. */
export async function acceptConsent(context: Context, consent: Consent): Promise<void> {
  if (consent.status !== 'AUTHORIZATION_REQUIRED') {
    return
  }
  const bank = await bankOfConsent(context, consent)
  const read = await readConsentAtBank(context, bank, consent).catch((error: unknown) => {
    if (error instanceof BankError && !isTemporary(error) && isLate(context, consent)) {
      return { state: 'pending', validUntil: null, bankStatus: 'unreadable' } as const
    }
    throw error
  })
  if (read.state === 'valid') {
    const validUntil = read.validUntil === null ? consent.validUntil : endOfDay(read.validUntil, bank)
    await activateConsent(context, bank, { ...consent, validUntil })
  } else {
    await closeUnacceptedConsent(context, consent, read)
  }
}

/** Replaced consents are detected after the commit; if the process dies in between, the poll job does it. */
async function activateConsent(context: Context, bank: Bank, consent: Consent): Promise<void> {
  const accounts = await readAccounts(context, bank, consent)
  const { id: consentId, validUntil } = consent
  const at = context.clock.now()
  const change = { status: 'ACCEPTED', at, validUntil, dueAt: at, refreshAt: nextConsentRefresh(at) } as const
  await transitionConsent(context, consent, change, ({ database }) => replaceAccounts(database, consent, accounts))
  const excluded = accounts.excluded.length
  if (excluded > 0) {
    context.log.info({ consentId, excluded }, 'the bank returned accounts of other owners, which the consent excludes')
    context.metrics.consentsWithoutAccounts.inc({ bank: bank.bic }, accounts.accounts.length === 0 ? 1 : 0)
  }
  await detectReplacedConsents(context, bank, { ...consent, status: 'ACCEPTED', updatedAt: at })
}

/**
 * The user signed, but the bank does not activate the consent: it rejected it, or is still waiting at the deadline. What
 * it activates after that is revoked.
 */
async function closeUnacceptedConsent(context: Context, consent: Consent, read: BankConsentState): Promise<void> {
  const at = context.clock.now()
  if (read.state !== 'pending') {
    await transitionConsent(context, consent, { status: 'REJECTED', statusReason: 'BANK', at })
  } else if (isLate(context, consent)) {
    await transitionConsent(context, consent, { status: 'CANCELLED', at, revokeAt: at })
  } else {
    throw new BankError('unavailable', `The bank reports status ${read.bankStatus} for a consent that was signed`)
  }
}

function isLate({ clock }: Context, { createdAt }: Consent): boolean {
  return Temporal.Instant.compare(clock.now(), createdAt.add(AUTHORISATION_TIME_MAX)) >= 0
}

/**
 * The user has accepted, so a failure here does not undo it: the next read of the accounts stores them. Until the
 * deadline, what may pass is waited for.
 */
async function readAccounts(context: Context, bank: Bank, consent: Consent): Promise<CompanyAccounts> {
  const company = await findRequestedCompany(context, consent)
  const accounts = context.banks.connectorOf(bank).accounts
  if (company === null || accounts === undefined) {
    return { accounts: [], excluded: [] }
  }
  const list = async () => accounts.list(await bankCallerOf(context, { bank, consent, service: 'AIS', psu: null }))
  const quota = { bank, consent, kind: 'accounts' } as const
  const listed = await withReadQuotaRecorded(context, quota, list).catch((error: unknown) => {
    const isFinal = error instanceof BankError && !isTemporary(error) && !endsAccess(error)
    if (!isFinal && !(error instanceof BankError && isLate(context, consent))) {
      throw error
    }
    return null
  })
  if (listed === null) {
    context.log.warn({ consentId: consent.id }, 'the accounts of a new consent could not be read at its bank')
  }
  return await accountsOfCompany(context, bank, company, listed?.accounts ?? [])
}
