/** Shows consents to the partner they belong to. */
import { CONSENTS_LISTED_MAX, type Consent as ConsentShown } from '../../contract/consents.ts'
import type { PartnerCaller } from '../auth/partner.ts'
import type { Context } from '../context.ts'
import { formsOfOrganisationNumber } from '../countries/organisation-number.ts'
import { printTimestamp } from '../platform/format-timestamp.ts'
import { invalid } from '../platform/http/errors/api-error.ts'
import { readAskedTime } from '../platform/http/parse-time-parameter.ts'
import { latestSigning } from '../signing/find-signing.ts'
import { scaOf } from '../signing/present-code.ts'
import { settleIfStale } from '../signing/settle-signing.ts'
import { type ConsentCaller, noticesOf } from './consent.ts'
import { consentSigning } from './consent-sca-subject.ts'
import { findConsent, type ListedConsent, listConsentsOf } from './consent-store.ts'

/** One consent; while the user may be at the bank, the bank is asked first. */
export async function showConsent(context: Context, { consent }: ConsentCaller): Promise<ConsentShown> {
  if (consent.status !== 'AUTHORIZATION_REQUIRED') {
    return shownOf(context, consent)
  }
  const signing = await latestSigning(context, { partnerId: consent.partnerId, kind: 'consent', subjectId: consent.id })
  if (signing === undefined) {
    return shownOf(context, consent)
  }
  const standing = await settleIfStale(context, consentSigning(), signing)
  const kept = await findConsent(context, consent)
  return {
    ...shownOf(context, kept ?? consent),
    ...(standing.at === 'end' ? {} : await scaOf(context, consentSigning(), signing)),
  }
}

/** The partner's newest consents, newest first, or those that end first. */
export async function listConsents(
  context: Context,
  { partnerId }: PartnerCaller,
  { organizationNumber, expiringBefore }: { organizationNumber?: string; expiringBefore?: string },
): Promise<ConsentShown[]> {
  const filter = {
    ...(organizationNumber === undefined ? {} : { organisationNumbers: formsOfOrganisationNumber(organizationNumber) }),
    ...(expiringBefore === undefined ? {} : { expiringBefore: startOf(expiringBefore) }),
  }
  const consents = await listConsentsOf(context.database, partnerId, filter, CONSENTS_LISTED_MAX)
  return consents.map((consent) => shownOf(context, consent))
}

/** A bare day means its beginning in Oslo. */
function startOf(text: string): Temporal.Instant {
  const start = readAskedTime(text, 'Europe/Oslo')
  if (start === undefined) {
    throw invalid('.expiringBefore', 'is no time of the calendar')
  }
  return start
}

function shownOf({ clock }: Context, consent: ListedConsent): ConsentShown {
  const validUntil = printTimestamp(consent.validUntil)
  const { statusReason, bankBranch, userIdMasked } = consent
  return {
    id: consent.id,
    status: consent.status,
    ...(statusReason === null ? {} : { statusReason }),
    validUntil,
    createdAt: printTimestamp(consent.createdAt),
    updatedAt: printTimestamp(consent.updatedAt),
    bic: consent.bic,
    ...(bankBranch === null ? {} : { bankBranch }),
    country: consent.countryCode,
    organizationNumber: consent.organisationNumber,
    ...(userIdMasked === null ? {} : { userIdMasked }),
    notices: noticesOf(consent, clock.now()).map(({ code, since }) => ({
      code,
      since: printTimestamp(since),
      validUntil,
    })),
  }
}
