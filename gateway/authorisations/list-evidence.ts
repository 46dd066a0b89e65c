/** Lists the evidence of authorisations: who signed what, from where, when, and with which result. */
import type { Context } from '../context.ts'
import { scaUserPurpose } from './sca-link.ts'
import {
  type EvidenceOfSubject,
  type EvidenceOfTargets,
  listEvidenceOfSubject,
  listEvidenceOfTargets,
  type StoredEvidence,
} from './store/evidence-store.ts'

/** One authorisation; the user's id at the bank is null where the bank identified the user. */
export type AuthorisationEvidence = Omit<StoredEvidence, 'userSealed'> & { readonly userId: string | null }

/** The authorisations of one subject, or of payments and baskets, in the order of creation. */
export async function listEvidence(
  { database, seal }: Context,
  of: EvidenceOfSubject | EvidenceOfTargets,
): Promise<readonly AuthorisationEvidence[]> {
  const stored = 'kind' in of ? await listEvidenceOfSubject(database, of) : await listEvidenceOfTargets(database, of)
  return stored.map(({ userSealed, ...evidence }) => ({
    ...evidence,
    userId: userSealed === null ? null : seal.open(userSealed, scaUserPurpose(evidence.sessionId)),
  }))
}
