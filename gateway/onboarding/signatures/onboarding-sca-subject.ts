/** Runs onboarding signatures as SCA sessions: the signer identifies and must be the expected person. */
import { requirePartner } from '../../auth/list-partners.ts'
import type { ScaOutcome, ScaSession, ScaSubject } from '../../authorisations/sca-session.ts'
import { BankError } from '../../banks/connector/bank-error.ts'
import type { Context } from '../../context.ts'
import { formatOrganisationNumber, languageOfCountry } from '../../countries/served-countries.ts'
import { type Identification, IdentityProviderError } from '../../identity/identity-provider.ts'
import type { IdentityProviders } from '../../identity/identity-providers.ts'
import { matchesExpectedPerson } from '../../identity/person.ts'
import { newId } from '../../platform/ids.ts'
import type { CompanyRegistries } from '../../registries/company-registry.ts'
import { decideOnboarding } from '../decision/decide-onboarding.ts'
import type { Onboarding } from '../store/onboarding.ts'
import { toRegisteredPerson } from '../store/onboarding-answers.ts'
import { deleteProof, findSignature, saveSignature } from '../store/onboarding-signature-store.ts'
import type { Signature, Signer, SignerKey } from '../store/onboarding-signer.ts'
import { findSigningParties, type SigningParties } from '../store/onboarding-signer-store.ts'
import { recordSignature } from './record-signature.ts'

type ExternalServices = { readonly identity: IdentityProviders; readonly registries: CompanyRegistries }
type OnboardingScaKey = Pick<ScaSession, 'partnerId' | 'subjectId'>

/** The SCA subject of onboardings; the state is the stored result of the identity provider, not a bank's. */
export function onboardingScaSubject({ identity, registries }: ExternalServices): ScaSubject {
  return {
    begin: async (context, session, _step, { back }) => {
      const { onboarding } = await load(context, session)
      const { countryCode, documentHash } = onboarding
      const provider = requireProvider(identity, session.identityProvider)
      const language = languageOfCountry(countryCode)
      const request = { back: back.success, countryCode, documentHash, text: textOf(onboarding), language }
      const { url, secret } = await mapIdentityErrors(() => provider.begin(request))
      return { authorisationId: newId(), approach: { type: 'redirect', url }, returnSecret: secret }
    },
    complete: async (context, session, step, { query, returnSecret }) => {
      const provider = requireProvider(identity, session.identityProvider)
      const identification = await mapIdentityErrors(() =>
        rejectUnproven(context, () => provider.finish({ query, secret: returnSecret ?? '' })),
      )
      if (identification.outcome === 'foreign') {
        return false
      }
      const { signer } = await load(context, session)
      const key = { partnerId: session.partnerId, id: step.authorisationId, signerId: signer.id }
      await saveSignature(context, {
        ...key,
        ...toSignatureResult(signer, identification),
        identityProvider: provider.id,
        endedAt: context.clock.now(),
      })
      return true
    },
    read: async (context, session, step) => {
      const signature = await findSignature(context, { partnerId: session.partnerId, id: step.authorisationId })
      const scaStatus = signature?.state === 'rejected' ? signature.rejection : (signature?.state ?? 'requested')
      const state = signature?.state === 'rejected' ? 'rejected' : (signature?.state ?? 'open')
      return { state, scaStatus, text: null, qr: null, unconfirmed: false }
    },
    readTargetState: async () => ({ state: 'cancelled', scaStatus: 'given up', text: null }),
    ended: async (context, session, outcome) => await handleOutcome({ ...context, registries }, session, outcome),
    partiesOfSession: async (context, session) => {
      const partner = await requirePartner(context, session.partnerId)
      const found = await findSigningParties(context, signerKeyOf(session))
      if (found === undefined) {
        return { partnerName: partner.name, companyName: '', countryCode: '' }
      }
      const { countryCode, organisationName, organisationNumber } = found.onboarding
      const companyName = organisationName ?? formatOrganisationNumber(countryCode, organisationNumber)
      return { partnerName: partner.name, companyName, countryCode }
    },
  }
}

/** An unproven identity rejects the signature: the authorization code is used, so a retry cannot succeed. */
async function rejectUnproven(
  { log }: Context,
  finish: () => Promise<Identification>,
): Promise<Identification | { readonly outcome: 'not-proven' }> {
  try {
    return await finish()
  } catch (error) {
    if (error instanceof IdentityProviderError && error.kind === 'not-proven') {
      log.warn({ kind: error.kind, error }, 'identity not proven by the identity provider')
      return { outcome: 'not-proven' }
    }
    throw error
  }
}

type IdentityResult = Exclude<Identification, { readonly outcome: 'foreign' }> | { readonly outcome: 'not-proven' }
type SignatureResult =
  | Pick<Extract<Signature, { state: 'rejected' }>, 'state' | 'rejection'>
  | Pick<Extract<Signature, { state: 'signed' }>, 'state' | 'proof'>

/** The identity of an unexpected person is not stored. */
function toSignatureResult(signer: Signer, result: IdentityResult): SignatureResult {
  if (result.outcome !== 'identified') {
    return { state: 'rejected', rejection: result.outcome === 'denied' ? 'declined' : 'not-proven' }
  }
  const { person, idToken } = result
  return matchesExpectedPerson(person, toRegisteredPerson(signer))
    ? { state: 'signed', proof: { person, idToken } }
    : { state: 'rejected', rejection: 'other-person' }
}

/** Idempotent: called again after a crash, it finds the recorded signature and makes the pending decision. */
async function handleOutcome(context: Context, session: ScaSession, outcome: ScaOutcome): Promise<ScaOutcome> {
  const [step] = session.steps
  const key = { partnerId: session.partnerId, id: step?.authorisationId ?? '' }
  const signature = step?.authorisationId == null ? undefined : await findSignature(context, key)
  if (outcome !== 'success' || signature?.state !== 'signed') {
    await deleteProofIfPresent(context, signature)
    return outcome === 'success' ? 'rejected' : outcome
  }
  const { onboarding, signer } = await load(context, session)
  const isRecorded =
    signature.proof === null
      ? signer.status === 'Signed'
      : await recordSignature(context, signer, {
          did: 'sign',
          identified: signature.proof.person,
          evidence: signature.proof.idToken,
        })
  if (isRecorded) {
    await decideOnboarding(context, onboarding)
  }
  await deleteProof(context.database, signature)
  return isRecorded ? 'success' : 'rejected'
}

async function deleteProofIfPresent({ database }: Context, signature: Signature | undefined): Promise<void> {
  if (signature !== undefined) {
    await deleteProof(database, signature)
  }
}

/** Maps identity provider errors to `BankError`, which SCA sessions handle. */
async function mapIdentityErrors<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof IdentityProviderError) {
      throw new BankError(error.kind === 'unavailable' ? 'unavailable' : 'misconfigured', error.message, [], error)
    }
    throw error
  }
}

function requireProvider(identity: IdentityProviders, id: string | null) {
  const provider = id === null ? null : identity.find(id)
  if (provider === null) {
    throw new BankError('unavailable', `The identity provider ${id} is not configured`)
  }
  return provider
}

async function load(context: Context, session: OnboardingScaKey): Promise<SigningParties> {
  const found = await findSigningParties(context, signerKeyOf(session))
  if (found === undefined) {
    throw new Error(`There is no signer ${session.subjectId} for the SCA session`)
  }
  return found
}

function signerKeyOf({ partnerId, subjectId }: OnboardingScaKey): SignerKey {
  return { partnerId, id: subjectId }
}

/** The text that the provider shows; the hash covers everything that the hosted pages showed. */
function textOf({ documentHash, organisationName, organisationNumber }: Onboarding): string {
  return `${organisationName ?? ''} (${organisationNumber})\nSHA-256: ${documentHash ?? ''}`.trim()
}
