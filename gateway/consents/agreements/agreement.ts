/** Registers, lists and ends agreements: paper contracts between a bank and a company that replace consents for payment files. */

import type { Bank } from '../../banks/connector/bank.ts'
import { requireOrganisationNumber } from '../../companies/add-company.ts'
import type { Company } from '../../companies/company.ts'
import { findRequestedCompany } from '../../companies/require-company.ts'
import type { Context } from '../../context.ts'
import { checkAccountNumber, ibanOf } from '../../countries/account-number.ts'
import { countryRules } from '../../countries/served-countries.ts'
import { writeAuditEntry } from '../../operators/audit-log.ts'
import { inTransaction, type Queryable } from '../../platform/database/in-transaction.ts'
import { apiError } from '../../platform/http/errors/api-error.ts'
import { newId } from '../../platform/ids.ts'
import { accountsOfCompany, type CompanyAccounts, type ConsentAccount } from '../accounts/consent-account.ts'
import { listAccountsOfConsent, replaceAccounts } from '../accounts/find-account.ts'
import { type Consent, expiryNoticeAt, requireBankConsentId } from '../consent.ts'
import {
  CONSENT,
  type ConsentKey,
  consentTables,
  decryptConsent,
  findConsent,
  insertConsent,
  type ListedConsent,
  updateOfConsent,
} from '../consent-store.ts'
import { endOfDay, maxValidUntil } from '../expiry/consent-validity.ts'
import { transitionConsent } from '../transition-consent.ts'

/** An agreement as operators register it. */
export type NewAgreement = {
  readonly partnerId: string
  readonly bic: string
  readonly countryCode: string
  readonly organisationNumber: string
  /** The bank's id of the customer in files. */
  readonly number: string
  /** The accounts that files may debit, in national format. */
  readonly accounts: readonly string[]
  /** The last day; by default the longest validity of the bank's profile. */
  readonly until?: Temporal.PlainDate
}

/** An agreement as operators see it. */
export type Agreement = ListedConsent & {
  readonly number: string
  readonly accounts: readonly Pick<ConsentAccount, 'bban' | 'iban' | 'currency'>[]
}

/** Ids of customers at banks: limited to what fits into a file, and is unambiguous in a list. */
export const AGREEMENT_NUMBER = /^[A-Za-z0-9][A-Za-z0-9 /.-]{0,34}$/

/** Returns the agreement's id. Throws an error with a message for the operator if the agreement is invalid. */
export async function registerAgreement(context: Context, actor: string, request: NewAgreement): Promise<string> {
  const bank = await requireFileBank(context, request)
  const company = await requireCompanyOf(context, bank, request)
  requireNumber(request.number)
  const accounts = await accountsOf(context, bank, company, request.accounts)
  const consent = consentOf(context, bank, company, request)
  const { partnerId, id: consentId, validUntil: until, createdAt: at } = consent
  await inTransaction(context, async (context) => {
    await insertConsent(context, consent)
    await activateAgreement(context.database, consent, { at, until })
    await replaceAccounts(context.database, consent, accounts)
    const detail = { bic: bank.bic, organisationNumber: company.organisationNumber, until: until.toString() }
    const entry = {
      partnerId,
      actor,
      action: 'agreement entered' as const,
      subject: ['consent', consentId] as const,
      detail,
    }
    await writeAuditEntry(context, entry)
  })
  return consentId
}

async function requireFileBank({ banks }: Context, { bic, countryCode }: NewAgreement): Promise<Bank> {
  const bank = await banks.find(bic)
  if (bank === undefined) {
    throw apiError('bad-request', `The bank directory in use has no bank with the BIC ${bic}`)
  }
  if (banks.connectorOf(bank).files === undefined) {
    throw apiError('bad-request', `${bank.name} does not accept payment files: its users give consents`)
  }
  if (bank.countryCode !== countryCode) {
    throw apiError('bad-request', `${bank.name} only serves companies of ${bank.countryCode}`)
  }
  return bank
}

async function requireCompanyOf(context: Context, bank: Bank, request: NewAgreement): Promise<Company> {
  const { partnerId, countryCode } = request
  const organisationNumber = requireOrganisationNumber(request)
  const company = await findRequestedCompany(context, { partnerId, countryCode, organisationNumber })
  if (company === null) {
    throw apiError('bad-request', `The partner has no company ${bank.countryCode} ${organisationNumber}: add it first`)
  }
  return company
}

function requireNumber(number: string): void {
  if (!AGREEMENT_NUMBER.test(number)) {
    throw apiError(
      'bad-request',
      'The agreement number must have 1 to 35 letters, digits, spaces, slashes, dots or hyphens',
    )
  }
}

/** As the bank would return them under a consent. */
async function accountsOf(
  context: Context,
  bank: Bank,
  company: Company,
  numbers: readonly string[],
): Promise<CompanyAccounts> {
  const currency = countryRules(bank.countryCode)?.currency ?? ''
  const accounts = numbers.map((number) => {
    const checked = checkAccountNumber(bank.countryCode, number)
    if (!checked.ok) {
      throw apiError('bad-request', `The account number ${number} ${checked.reason}`)
    }
    return {
      resourceId: checked.bban,
      bban: checked.bban,
      iban: ibanOf(bank.countryCode, checked.bban) ?? null,
      bic: bank.bic,
      name: null,
      ownerName: null,
      currency,
      type: 'Current' as const,
      payable: true,
    }
  })
  if (accounts.length === 0) {
    throw apiError('bad-request', 'Give at least one account that files may debit')
  }
  return await accountsOfCompany(context, bank, company, accounts)
}

function consentOf(context: Context, bank: Bank, company: Company, { number, until }: NewAgreement): Consent {
  const { clock } = context
  const [createdAt, longest] = [clock.now(), maxValidUntil(context, bank)]
  const validUntil = until === undefined ? longest : endOfDay(until, bank)
  if (Temporal.Instant.compare(validUntil, createdAt) <= 0 || Temporal.Instant.compare(validUntil, longest) > 0) {
    throw apiError(
      'bad-request',
      `The last day must be between today and ${bank.profile.maxConsentValidityDays} days from now`,
    )
  }
  return {
    partnerId: company.partnerId,
    id: newId(),
    companyId: company.id,
    bic: bank.bic,
    bankBranch: null,
    countryCode: bank.countryCode,
    organisationNumber: company.organisationNumber,
    status: 'ACCEPTED',
    statusReason: null,
    userId: null,
    userIdMasked: null,
    bankConsentId: number,
    callbackUrl: '',
    validUntil,
    createdAt,
    updatedAt: createdAt,
    excludedAccounts: 0,
  }
}

/** Activates a new consent as an agreement, until it ends. */
export async function activateAgreement(
  transaction: Queryable,
  key: ConsentKey,
  { at, until }: { readonly at: Temporal.Instant; readonly until: Temporal.Instant },
): Promise<void> {
  await updateOfConsent(transaction, key)
    .set({
      agreement: true,
      status: 'ACCEPTED',
      accepted_at: at.toString(),
      due_at: expiryNoticeAt({ validUntil: until }).toString(),
    })
    .execute()
}

/** Whether a consent is an agreement. */
async function isAgreement(database: Queryable, { partnerId, id }: ConsentKey): Promise<boolean> {
  const row = await consentTables(database)
    .selectFrom('consents')
    .select('agreement')
    .where('partner_id', '=', partnerId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.agreement === true
}

/** False when it had ended already. Throws when there is none. */
export async function endAgreement(context: Context, actor: string, key: ConsentKey): Promise<boolean> {
  const consent = await findConsent(context, key)
  if (consent === undefined || !(await isAgreement(context.database, key))) {
    throw apiError('not-found', 'The partner has no agreement with this id')
  }
  const { partnerId, id } = consent
  // `BANK`: banks end agreements, operators only record it.
  const ended = { status: 'REVOKED', statusReason: 'BANK', at: context.clock.now() } as const
  return await transitionConsent(context, consent, ended, (context) => {
    const entry = { partnerId, actor, action: 'agreement ended' as const, subject: ['consent', id] as const }
    return writeAuditEntry(context, entry)
  })
}

/** Newest first, including ended ones. */
export async function listAgreements(context: Context, partnerId: string): Promise<readonly Agreement[]> {
  const rows = await consentTables(context.database)
    .selectFrom('consents')
    .select(CONSENT)
    .where('partner_id', '=', partnerId)
    .where('agreement', '=', true)
    .orderBy('id', 'desc')
    .execute()
  const shown = rows.map(async (row) => {
    const consent = decryptConsent(context.seal, row)
    const accounts = await listAccountsOfConsent(context, consent)
    return { ...consent, number: requireBankConsentId(consent), accounts }
  })
  return await Promise.all(shown)
}
