/** Gets and lists consents for their partner. */

import { CONSENTS_LISTED_MAX, type Consent as ConsentShown } from '../../contract/consents.ts'
import type { PartnerCaller } from '../auth/partner-caller.ts'
import { refreshScaForPartner } from '../authorisations/get-qr-code.ts'
import type { Context } from '../context.ts'
import { REPORTING_TIME_ZONE } from '../countries/bank-days.ts'
import { organisationNumberVariants } from '../countries/served-countries.ts'
import { formatTimestamp } from '../platform/clock.ts'
import { invalidRequest } from '../platform/http/errors/api-error.ts'
import { parseTimeParameter } from '../platform/http/parse-time-parameter.ts'
import { type ConsentCaller, noticesOf } from './consent.ts'
import { consentScaSubject } from './consent-sca-subject.ts'
import { findConsent, type ListedConsent, listConsentsOf } from './consent-store.ts'

/** One consent; while the user may be at the bank, the bank is read first. */
export async function getConsent(context: Context, { consent }: ConsentCaller): Promise<ConsentShown> {
  if (consent.status !== 'AUTHORIZATION_REQUIRED') {
    return formatConsent(context, consent)
  }
  const subject = { partnerId: consent.partnerId, kind: 'consent', subjectId: consent.id } as const
  const sca = await refreshScaForPartner(context, consentScaSubject, subject)
  return { ...formatConsent(context, (await findConsent(context, consent)) ?? consent), ...sca }
}

/** The partner's newest consents, newest first, or those that expire first. */
export async function listConsents(
  context: Context,
  { partnerId }: PartnerCaller,
  { organizationNumber, expiringBefore }: { organizationNumber?: string; expiringBefore?: string },
): Promise<ConsentShown[]> {
  const filter = {
    ...(organizationNumber === undefined
      ? {}
      : { organisationNumbers: organisationNumberVariants(organizationNumber) }),
    ...(expiringBefore === undefined ? {} : { expiringBefore: startOf(expiringBefore) }),
  }
  const consents = await listConsentsOf(context.database, partnerId, filter, CONSENTS_LISTED_MAX)
  return consents.map((consent) => formatConsent(context, consent))
}

/** A date without time means its start in Oslo. */
function startOf(text: string): Temporal.Instant {
  const start = parseTimeParameter(text, REPORTING_TIME_ZONE)
  if (start === undefined) {
    throw invalidRequest('.expiringBefore', 'must be a valid date or time')
  }
  return start
}

function formatConsent({ clock }: Context, consent: ListedConsent): ConsentShown {
  const validUntil = formatTimestamp(consent.validUntil)
  const { statusReason, bankBranch, userIdMasked, excludedAccounts: count } = consent
  return {
    id: consent.id,
    status: consent.status,
    ...(statusReason === null ? {} : { statusReason }),
    validUntil,
    createdAt: formatTimestamp(consent.createdAt),
    updatedAt: formatTimestamp(consent.updatedAt),
    bic: consent.bic,
    ...(bankBranch === null ? {} : { bankBranch }),
    country: consent.countryCode,
    organizationNumber: consent.organisationNumber,
    ...(userIdMasked === null ? {} : { userIdMasked }),
    ...(count === 0 ? {} : { excludedAccounts: { count, reason: 'ANOTHER_OWNER' as const } }),
    notices: noticesOf(consent, clock.now()).map(({ code, since }) => ({
      code,
      since: formatTimestamp(since),
      validUntil,
    })),
  }
}
