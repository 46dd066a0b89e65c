/** Requests a consent from a bank, and returns the URL that the partner sends the user to. */
import type { ConsentCreated, ConsentRequest } from '../../contract/consents.ts'
import type { PartnerCaller } from '../auth/partner-caller.ts'
import { type SummaryItem, summaryDay, summaryText } from '../authorisations/signature-summary.ts'
import { type ScaSessionRequest, startScaSession } from '../authorisations/start-sca-session.ts'
import { type Bank, preferredApproachOf } from '../banks/connector/bank.ts'
import { isBankError } from '../banks/connector/bank-error-classification.ts'
import { requireBank } from '../banks/directory/bank-directory.ts'
import type { Company } from '../companies/company.ts'
import { requireCompany } from '../companies/require-company.ts'
import { requireValidOrganisationNumber } from '../companies/validate-company-request.ts'
import type { Context } from '../context.ts'
import { formatTimestamp } from '../platform/clock.ts'
import { invalidRequest } from '../platform/http/errors/api-error.ts'
import type { PsuSession } from '../platform/http/operations/served-operation.ts'
import { newId } from '../platform/ids.ts'
import { AUTHORISATION_TIME_MAX, type Consent, maskUserId } from './consent.ts'
import { beginConsentAuthorisation, consentScaSubject } from './consent-sca-subject.ts'
import { insertConsent } from './consent-store.ts'
import { userIdAt } from './consent-validation.ts'
import { lastValidDay, maxValidUntil } from './expiry/consent-validity.ts'
import { requestBankConsent } from './request-bank-consent.ts'

/** Stores a consent that awaits its user's acceptance. */
export async function createConsent(
  context: Context,
  caller: PartnerCaller & { readonly psu: PsuSession | null },
  request: ConsentRequest,
): Promise<ConsentCreated> {
  const bank = await requireBank(context.banks, request.bic)
  const { organizationNumber } = request
  const organisationNumber = requireValidOrganisationNumber({ country: bank.countryCode, organizationNumber })
  const { partnerId } = caller
  const company = await requireCompany(context, { partnerId, countryCode: bank.countryCode, organisationNumber })
  const consent = await createAtBank(context, caller, bank, { request, company })
  const sessionRequest = scaSessionRequestOf(context, caller, request, { bank, company, consent })
  const { sca, url } = await startScaSession(context, consentScaSubject, sessionRequest, (within) =>
    insertConsent(within, consent),
  )
  return {
    id: consent.id,
    status: consent.status,
    validUntil: formatTimestamp(consent.validUntil),
    // Where the bank requires no signature, the user still confirms the company on our page.
    sca: sca ?? { type: 'redirect', url },
  }
}

function scaSessionRequestOf(
  context: Context,
  { partnerId, psu }: PartnerCaller & { readonly psu: PsuSession | null },
  { callbackUrl, preferredScaMethod }: ConsentRequest,
  { bank, company, consent }: { readonly bank: Bank; readonly company: Company; readonly consent: Consent },
): ScaSessionRequest {
  const targetType = requiresSignIn(bank) ? 'sign-in' : 'consent'
  return {
    partnerId,
    kind: 'consent',
    subjectId: consent.id,
    consentId: consent.id,
    bic: bank.bic,
    callbackUrl,
    expiresAt: context.clock.now().add(AUTHORISATION_TIME_MAX),
    psu,
    userId: consent.userId,
    preferred: preferredApproachOf(preferredScaMethod),
    codeForPartner: true,
    steps: [
      ...(targetType === 'sign-in' ? [{ targetType: 'sign-in' as const, targetId: consent.id, shown: [] }] : []),
      { targetType: 'consent', targetId: consent.id, shown: [summaryOf(bank, company, consent)] },
    ],
    begin: (authorisation) => beginConsentAuthorisation(context, consent, { targetType, psu, request: authorisation }),
  }
}

/** Where users sign in first, the consent is requested after the sign-in. */
async function createAtBank(
  context: Context,
  caller: PartnerCaller & { readonly psu: PsuSession | null },
  bank: Bank,
  { request, company }: { readonly request: ConsentRequest; readonly company: Company },
): Promise<Consent> {
  const userId = request.userId === undefined ? null : userIdAt(bank, request.userId)
  const createdAt = context.clock.now()
  const consent: Consent = {
    partnerId: caller.partnerId,
    id: newId(),
    companyId: company.id,
    bic: bank.bic,
    bankBranch: request.bankBranch ?? null,
    countryCode: bank.countryCode,
    organisationNumber: company.organisationNumber,
    status: 'AUTHORIZATION_REQUIRED',
    statusReason: null,
    userId,
    userIdMasked: userId === null ? null : maskUserId(userId),
    bankConsentId: null,
    callbackUrl: request.callbackUrl,
    validUntil: maxValidUntil(context, bank),
    createdAt,
    updatedAt: createdAt,
    excludedAccounts: 0,
  }
  if (requiresSignIn(bank)) {
    return consent
  }
  return await requestBankConsent(context, { bank, consent, psu: caller.psu }).catch((error: unknown) => {
    // No consent exists yet that could be invalid: the bank rejects the user id.
    throw isBankError(error, 'consent-invalid')
      ? invalidRequest('.userId', `The bank rejected the user id: ${error.message}`)
      : error
  })
}

function requiresSignIn({ profile }: Bank): boolean {
  return profile.oauth === 'pre-step'
}

function summaryOf(bank: Bank, company: Company, { validUntil }: Consent): SummaryItem {
  return [
    summaryText('company', `${company.name} (${company.organisationNumber})`),
    summaryText('bank', bank.name),
    { label: 'access', value: 'accounts', kind: 'access' },
    summaryDay('until', lastValidDay(validUntil, bank)),
  ]
}
