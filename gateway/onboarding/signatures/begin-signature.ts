/** Starts the signature of one signer at an identity provider and returns the redirect URL. */
import { summaryText } from '../../authorisations/signature-summary.ts'
import { type ScaSessionRequest, startScaSession } from '../../authorisations/start-sca-session.ts'
import type { Context } from '../../context.ts'
import { maySign, type Onboarding } from '../store/onboarding.ts'
import { hasCurrentTerms, type TermsAccepted } from '../store/onboarding-answers.ts'
import { readAnswers } from '../store/onboarding-answers-store.ts'
import { type Signer, type SignerKey, signerTransitions } from '../store/onboarding-signer.ts'
import { findSigningParties } from '../store/onboarding-signer-store.ts'
import { onboardingScaSubject } from './onboarding-sca-subject.ts'

/** The same limit as for SCA at a bank. */
const SIGNING_TIMEOUT = { minutes: 10 }

/** The redirect URL, or why there is none. */
export type SignatureStart =
  | { readonly outcome: 'begun'; readonly url: string }
  /** No signature is awaited, the signer has signed or declined, or the current terms must be accepted first. */
  | { readonly outcome: 'closed' }
  /** No identity provider is configured for this country: operators must configure one. */
  | { readonly outcome: 'no-provider' }

/**
 * The URL is a hosted page that shows the document and redirects to the provider. Finally the browser is redirected to
 * `callbackUrl` with `status=success|rejected|cancelled`; for `rejected`, `findLatestRejection` returns the reason.
 * Parallel signatures of the same signer are allowed; only one of them counts.
 */
export async function beginSignature(
  context: Context,
  key: SignerKey,
  { callbackUrl }: { readonly callbackUrl: string },
): Promise<SignatureStart> {
  const found = await findSigningParties(context, key)
  if (found === undefined || !maySign(found.onboarding) || !maySignNow(found.signer)) {
    return { outcome: 'closed' }
  }
  const { onboarding } = found
  const answers = await readAnswers(context, onboarding)
  const { Terms } = answers.sections
  if (Terms === undefined || !hasCurrentTerms(answers)) {
    return { outcome: 'closed' }
  }
  const provider = context.identity.of(onboarding.countryCode)
  if (provider === null) {
    return { outcome: 'no-provider' }
  }
  const request: ScaSessionRequest = {
    partnerId: key.partnerId,
    kind: 'onboarding',
    subjectId: key.id,
    identityProvider: provider.id,
    callbackUrl,
    expiresAt: context.clock.now().add(SIGNING_TIMEOUT),
    psu: null,
    userId: null,
    preferred: null,
    codeForPartner: false,
    steps: [{ targetType: 'person', targetId: key.id, shown: [shownOf(onboarding, Terms)] }],
  }
  const { url } = await startScaSession(context, onboardingScaSubject(context), request, async () => true)
  return { outcome: 'begun', url }
}

function maySignNow({ status }: Signer): boolean {
  return signerTransitions[status].includes('Signed')
}

/** Must hold no personal data: it is stored unencrypted. */
function shownOf(
  { documentHash, organisationName, organisationNumber }: Onboarding,
  { version }: Pick<TermsAccepted, 'version'>,
) {
  const company = organisationName === null ? organisationNumber : `${organisationName} (${organisationNumber})`
  return [
    summaryText('company', company),
    summaryText('terms', version),
    summaryText('fingerprint', documentHash ?? ''),
  ]
}
