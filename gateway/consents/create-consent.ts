/** Asks a bank for a consent, and gives the partner the address to which it sends the user. */
import type { ConsentAsked, ConsentStarted } from '../../contract/consents.ts'
import type { PartnerCaller } from '../auth/partner.ts'
import { type ShownThing, shownDay, shownText } from '../authorisations/signature-summary.ts'
import type { Bank } from '../banks/directory/bank.ts'
import { requireBank } from '../banks/directory/require-bank.ts'
import type { Company } from '../companies/company.ts'
import { requireCompany } from '../companies/require-company.ts'
import type { Context } from '../context.ts'
import { checkOrganisationNumber } from '../countries/organisation-number.ts'
import { printTimestamp } from '../platform/format-timestamp.ts'
import type { PsuSession } from '../platform/http/operations/psu-session.ts'
import { newId } from '../platform/ids.ts'
import { keepSigning, prepareSigning } from '../signing/prepare-signing.ts'
import { preferredOf } from '../signing/signed-in-app.ts'
import { AUTHORISE_WITHIN, type Consent, maskUserId } from './consent.ts'
import { consentSigning } from './consent-sca-subject.ts'
import { insertConsent } from './consent-store.ts'
import { askBank, lastDay, longestUntil } from './request-bank-consent.ts'

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
    preferred: preferredOf(asked.preferredScaMethod),
    codeForPartner: true,
    steps: [
      ...(signsInFirst(bank) ? [{ targetType: 'sign-in' as const, targetId: consent.id, shown: [] }] : []),
      { targetType: 'consent', targetId: consent.id, shown: [shownOf(bank, company, consent)] },
    ],
  })
  await context.database.query.transaction().execute(async (transaction) => {
    await insertConsent(transaction, context.seal, consent)
    await keepSigning(transaction, prepared)
  })
  return {
    id: consent.id,
    status: consent.status,
    validUntil: printTimestamp(consent.validUntil),
    // Where the bank wants no signature, the user still says on our page whose accounts these are.
    sca: prepared.sca ?? { type: 'redirect', url: prepared.url },
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

/** Where users sign in first, the bank is asked once they have. */
async function createAtBank(
  context: Context,
  caller: PartnerCaller & { readonly psu: PsuSession | null },
  bank: Bank,
  { asked, company }: { readonly asked: ConsentAsked; readonly company: Company },
): Promise<Consent> {
  const userId = asked.userId ?? null
  const createdAt = context.clock.now()
  const consent: Consent = {
    partnerId: caller.partnerId,
    id: newId(),
    companyId: company.id,
    bic: bank.bic,
    bankBranch: asked.bankBranch ?? null,
    countryCode: bank.countryCode,
    organisationNumber: company.organisationNumber,
    status: 'AUTHORIZATION_REQUIRED',
    statusReason: null,
    userId,
    userIdMasked: userId === null ? null : maskUserId(userId),
    bankConsentId: null,
    callbackUrl: asked.callbackUrl,
    validUntil: longestUntil(context, bank),
    createdAt,
    updatedAt: createdAt,
  }
  return signsInFirst(bank) ? consent : await askBank(context, { bank, consent, psu: caller.psu })
}

function signsInFirst({ profile }: Bank): boolean {
  return profile.oauth === 'pre-step'
}

function shownOf(bank: Bank, company: Company, { validUntil }: Consent): ShownThing {
  return [
    shownText('company', `${company.name} (${company.organisationNumber})`),
    shownText('bank', bank.name),
    { label: 'access', value: 'accounts', kind: 'access' },
    shownDay('until', lastDay(validUntil, bank)),
  ]
}
