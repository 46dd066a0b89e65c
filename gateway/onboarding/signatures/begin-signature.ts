/** Begins the signature of one signer at an identity provider, and answers the address to which the signer's browser goes. */

import { shownText } from '../../authorisations/signature-summary.ts'
import type { IdentityContext } from '../../identity/identity-context.ts'
import type { RegistryContext } from '../../registries/registry-context.ts'
import { keepSigning, prepareSigning } from '../../signing/prepare-signing.ts'
import { hasTodaysTerms, type TermsAccepted } from '../answers/onboarding-answers.ts'
import { readAnswers } from '../answers/onboarding-answers-store.ts'
import { maySign, type Onboarding } from '../onboarding.ts'
import { findOnboarding } from '../onboarding-store.ts'
import { onboardingSigning } from './onboarding-sca-subject.ts'
import { type Signer, type SignerKey, signerMayBecome } from './onboarding-signer.ts'
import { findSigner } from './onboarding-signer-store.ts'

/** As long as a signature at a bank may take at most. */
const SIGN_WITHIN = { minutes: 10 }

/** Where the signer's browser is sent, or why it is sent nowhere. */
export type SignatureBegun =
  | { readonly outcome: 'begun'; readonly url: string }
  /** Nothing is being signed, or the signer has signed or refused, or the terms are to be accepted anew. */
  | { readonly outcome: 'closed' }
  /** Nobody identifies people of this country here: for operators to mend. */
  | { readonly outcome: 'no-provider' }

/**
 * The address is a page of ours that shows what is signed and leads to the provider. In the end the browser comes to
 * `callbackUrl` with `status=success|rejected|cancelled`; with `rejected`, `signatureRefusal` tells why. Another
 * signature of the same signer that is under way stays so; one of them counts.
 */
export async function beginSignature(
  context: IdentityContext & RegistryContext,
  key: SignerKey,
  { callbackUrl }: { readonly callbackUrl: string },
): Promise<SignatureBegun> {
  const { database, seal } = context
  const signer = await findSigner({ database, seal }, key)
  const onboarding = signer && (await findOnboarding(database, { partnerId: key.partnerId, id: signer.onboardingId }))
  if (signer === undefined || onboarding === undefined || !maySign(onboarding) || !maySignNow(signer)) {
    return { outcome: 'closed' }
  }
  const answers = await readAnswers({ database, seal }, onboarding)
  const { Terms } = answers.sections
  if (Terms === undefined || !hasTodaysTerms(answers)) {
    return { outcome: 'closed' }
  }
  const provider = context.identity.of(onboarding.countryCode)
  if (provider === null) {
    return { outcome: 'no-provider' }
  }
  const prepared = await prepareSigning(context, onboardingSigning(context), {
    partnerId: key.partnerId,
    kind: 'onboarding',
    subjectId: key.id,
    identityProvider: provider.id,
    callbackUrl,
    expiresAt: context.clock.now().add(SIGN_WITHIN),
    psu: null,
    userId: null,
    preferred: null,
    codeForPartner: false,
    steps: [{ targetType: 'person', targetId: key.id, shown: [shownOf(onboarding, Terms)] }],
  })
  await database.query.transaction().execute((transaction) => keepSigning(transaction, prepared))
  return { outcome: 'begun', url: prepared.url }
}

function maySignNow({ status }: Signer): boolean {
  return signerMayBecome[status].includes('Signed')
}

/** Nothing of a person: what is shown is kept in the open. */
function shownOf(
  { documentHash, organisationName, organisationNumber }: Onboarding,
  { version }: Pick<TermsAccepted, 'version'>,
) {
  const company = organisationName === null ? organisationNumber : `${organisationName} (${organisationNumber})`
  return [shownText('company', company), shownText('terms', version), shownText('fingerprint', documentHash ?? '')]
}
