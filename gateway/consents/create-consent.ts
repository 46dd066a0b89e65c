/** Asks a bank for a consent, and gives the partner the address to which it sends the user. */
import type { ConsentAsked, ConsentStarted } from '../../contract/consents.ts'
import type { PartnerCaller } from '../auth/partner.ts'
import type { Bank } from '../banks/bank.ts'
import { BankRefusal } from '../banks/bank-refusal.ts'
import type { BankCaller } from '../banks/connector.ts'
import { requireBank } from '../banks/require-bank.ts'
import type { Context } from '../context.ts'
import { checkOrganisationNumber } from '../countries/organisation-number.ts'
import type { PsuSession } from '../foundation/http/psu-session.ts'
import { invalid } from '../foundation/http/refusal.ts'
import { newId } from '../foundation/ids.ts'
import type { Company } from '../onboarding/company.ts'
import { requireCompany } from '../onboarding/require-company.ts'
import { keepSigning, prepareSigning } from '../signing/prepare-signing.ts'
import { dayText } from '../signing/shown-text.ts'
import { AUTHORISE_WITHIN, type Consent, maskUserId } from './consent.ts'
import { consentSigning } from './consent-signing.ts'
import { insertConsent } from './consent-store.ts'

/** The bank holds a consent that nobody has accepted yet, and so do we. */
export async function createConsent(
  context: Context,
  caller: PartnerCaller & { readonly psu: PsuSession | null },
  asked: ConsentAsked,
): Promise<ConsentStarted> {
  const bank = await requireBank(context.banks, asked.bic)
  const organisationNumber = numberOfSound(bank, String(asked.organizationNumber))
  const company = await requireCompany(context, caller.partnerId, bank.countryCode, organisationNumber)
  const consent = await createAtBank(context, caller, bank, { asked, company })
  const prepared = await prepareSigning(context, consentSigning(consent), {
    partnerId: caller.partnerId,
    kind: 'consent',
    subjectId: consent.id,
    consentId: consent.id,
    bic: bank.bic,
    callbackUrl: asked.callbackUrl,
    expiresAt: context.clock.now().add(AUTHORISE_WITHIN),
    psu: caller.psu,
    userId: consent.userId,
    steps: [{ targetType: 'consent', targetId: consent.id, shown: shownOf(bank, company, consent) }],
  })
  await context.database.query.transaction().execute(async (transaction) => {
    await insertConsent(transaction, context.seal, consent)
    await keepSigning(transaction, prepared)
  })
  return {
    id: consent.id,
    status: consent.status,
    validUntil: consent.validUntil.toString(),
    sca: { type: 'redirect', url: prepared.url },
  }
}

/** Partners may write it with spaces; companies are kept by its digits. */
function numberOfSound({ countryCode }: Bank, text: string): string {
  const checked = checkOrganisationNumber(countryCode, text)
  if (!checked.ok) {
    throw new Error(`An organisation number got past the rules: it ${checked.reason}`)
  }
  return checked.organisationNumber
}

/** There is no consent yet that a bank could refuse: what it does not accept then is the user. */
function refusalOfUser(error: unknown): unknown {
  return error instanceof BankRefusal && error.kind === 'consent-invalid'
    ? invalid('.userId', `The bank does not accept it: ${error.message}`)
    : error
}

async function createAtBank(
  context: Context,
  caller: PartnerCaller & { readonly psu: PsuSession | null },
  bank: Bank,
  { asked, company }: { readonly asked: ConsentAsked; readonly company: Company },
): Promise<Consent> {
  const id = newId()
  const userId = asked.userId ?? null
  const bankCaller: BankCaller = {
    bank,
    userId,
    organisationNumber: company.organisationNumber,
    bankConsentId: null,
    psu: caller.psu,
  }
  const lastDay = context.clock.today(bank.profile.timeZone).add({ days: bank.profile.maxConsentValidityDays })
  const { bankConsentId, validUntil } = await context.banks
    .connectorOf(bank)
    .consents.create(bankCaller, { requestId: newId(), validUntil: lastDay })
    .catch((error: unknown) => {
      throw refusalOfUser(error)
    })
  const createdAt = context.clock.now()
  return {
    partnerId: caller.partnerId,
    id,
    companyId: company.id,
    bic: bank.bic,
    bankBranch: asked.bankBranch ?? null,
    countryCode: bank.countryCode,
    organisationNumber: company.organisationNumber,
    status: 'AUTHORIZATION_REQUIRED',
    statusReason: null,
    userId,
    userIdMasked: userId === null ? null : maskUserId(userId),
    bankConsentId,
    callbackUrl: asked.callbackUrl,
    validUntil: endOfDay(validUntil, bank),
    createdAt,
    updatedAt: createdAt,
  }
}

/** Banks give a consent until the end of a day of theirs. */
function endOfDay(day: Temporal.PlainDate, { profile }: Bank): Temporal.Instant {
  return day.add({ days: 1 }).toZonedDateTime(profile.timeZone).toInstant()
}

/** The day that the user and the bank speak of: the consent ends with it. */
function lastDay(end: Temporal.Instant, { profile }: Bank): Temporal.PlainDate {
  return end.subtract({ milliseconds: 1 }).toZonedDateTimeISO(profile.timeZone).toPlainDate()
}

function shownOf(bank: Bank, company: Company, { validUntil }: Consent) {
  return [
    { label: 'Company', value: `${company.name} (${company.organisationNumber})` },
    { label: 'Bank', value: bank.name },
    { label: 'Access to', value: 'accounts, balances and transactions' },
    { label: 'Until', value: dayText(lastDay(validUntil, bank)) },
  ]
}
