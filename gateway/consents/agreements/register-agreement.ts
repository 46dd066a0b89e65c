/** Enters the agreement of a company with its bank on files: from then on its id is used as a consent's. */
import type { Bank } from '../../banks/directory/bank.ts'
import { requireOrganisationNumber } from '../../companies/add-company.ts'
import type { Company } from '../../companies/company.ts'
import { companyOf } from '../../companies/require-company.ts'
import type { Context } from '../../context.ts'
import { checkAccountNumber, ibanOf } from '../../countries/account-number.ts'
import { countryRules } from '../../countries/served-countries.ts'
import { writeAudit } from '../../operators/write-audit-entry.ts'
import { newId } from '../../platform/ids.ts'
import { accountsOfCompany, type ConsentAccount } from '../accounts/consent-account.ts'
import { replaceAccounts } from '../accounts/consent-account-store.ts'
import type { Consent } from '../consent.ts'
import { insertConsent } from '../consent-store.ts'
import { longestUntil } from '../request-bank-consent.ts'
import { AGREEMENT_NUMBER, type AgreementWanted } from './agreement.ts'
import { putAgreementInForce } from './agreement-store.ts'

/** Answers the agreement's id. Throws what is wrong with it, in words for the operator. */
export async function enterAgreement(context: Context, actor: string, wanted: AgreementWanted): Promise<string> {
  const bank = await requireFileBank(context, wanted)
  const company = await requireCompanyOf(context, bank, wanted)
  requireNumber(wanted.number)
  const accounts = accountsOf(bank, company, wanted.accounts)
  const consent = consentOf(context, bank, company, wanted)
  const { partnerId, id: consentId, validUntil: until, createdAt: at } = consent
  await context.database.query.transaction().execute(async (transaction) => {
    const within = { query: transaction }
    await insertConsent(transaction, context.seal, consent)
    await putAgreementInForce(within, consent, { at, until })
    await replaceAccounts(within, { partnerId, consentId }, accounts)
    const detail = { bic: bank.bic, organisationNumber: company.organisationNumber, until: until.toString() }
    const entry = { partnerId, actor, action: 'agreement entered', subject: ['consent', consentId] as const, detail }
    await writeAudit({ ...context, database: within }, entry)
  })
  return consentId
}

async function requireFileBank({ banks }: Context, { bic, countryCode }: AgreementWanted): Promise<Bank> {
  const bank = await banks.find(bic)
  if (bank === undefined) {
    throw new Error(`There is no bank ${bic} in the directory that is in use`)
  }
  if (banks.connectorOf(bank).files === undefined) {
    throw new Error(`${bank.name} takes no files: its users give consents`)
  }
  if (bank.countryCode !== countryCode) {
    throw new Error(`${bank.name} serves companies of ${bank.countryCode}`)
  }
  return bank
}

async function requireCompanyOf(context: Context, bank: Bank, wanted: AgreementWanted): Promise<Company> {
  const { partnerId, countryCode } = wanted
  const organisationNumber = requireOrganisationNumber(wanted)
  const company = await companyOf(context, { partnerId, countryCode, organisationNumber })
  if (company === null) {
    throw new Error(`The partner has no company ${bank.countryCode} ${organisationNumber}: add it first`)
  }
  return company
}

function requireNumber(number: string): void {
  if (!AGREEMENT_NUMBER.test(number)) {
    throw new Error('The number of the agreement has 1 to 35 letters and digits, with spaces, slashes, dots or hyphens')
  }
}

/** As the bank would show them under a consent. */
function accountsOf(bank: Bank, company: Company, numbers: readonly string[]): readonly ConsentAccount[] {
  const currency = countryRules(bank.countryCode)?.currency ?? ''
  const accounts = numbers.map((number) => {
    const checked = checkAccountNumber(bank.countryCode, number)
    if (!checked.ok) {
      throw new Error(`The account number ${number} ${checked.reason}`)
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
    throw new Error('Name an account at least that files may pay from')
  }
  return accountsOfCompany(bank, company, accounts)
}

function consentOf(context: Context, bank: Bank, company: Company, { number, until }: AgreementWanted): Consent {
  const { clock } = context
  const [createdAt, longest] = [clock.now(), longestUntil(context, bank)]
  const validUntil = until?.add({ days: 1 }).toZonedDateTime(bank.profile.timeZone).toInstant() ?? longest
  if (Temporal.Instant.compare(validUntil, createdAt) <= 0 || Temporal.Instant.compare(validUntil, longest) > 0) {
    throw new Error(`The last day is not between today and ${bank.profile.maxConsentValidityDays} days from now`)
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
  }
}
