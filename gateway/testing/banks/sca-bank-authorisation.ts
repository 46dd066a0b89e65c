/** The authorisations of the fake bank `sca-bank`: their type, SCA approach and lifetime. */
import type { AuthorisationRequest, StartedAuthorisation } from '../../banks/connector/sca-authorisation.ts'

/** An authorisation at the bank; `targets` are the bank's ids of the payments that it signs or cancels. */
export type ScaBankAuthorisation = {
  readonly id: string
  readonly what: 'signature' | 'withdrawal'
  readonly userId: string | null
  readonly targets: readonly string[]
  readonly requested: AuthorisationRequest
  /** Business time. */
  readonly endsAt: Temporal.Instant
  /** Whether the answer of its creation was lost. */
  readonly isLost: boolean
  truth: 'open' | 'signed' | 'rejected' | 'cancelled' | 'expired'
}

/** SCA approach: on the bank's pages, by a code for the app, or in an app that the bank notifies. */
export type ScaApproachName = 'redirect' | 'code' | 'app'

/** Longer than users take, shorter than the polling period. */
export const AUTHORISATION_SECONDS = { redirect: 600, app: 600, code: 200 } as const
const FAR_AHEAD = Temporal.Instant.from('2100-01-01T00:00:00Z')

/** The SCA approach details of an authorisation. */
export function scaMethodFor(approach: ScaApproachName, id: string): StartedAuthorisation['approach'] {
  if (approach === 'redirect') {
    return { type: 'redirect', url: `https://bank.example/${id}` }
  }
  const qr = { image: 'iVBORw0KGgo=', code: id, kind: 'Dynamic', validUntil: FAR_AHEAD } as const
  return { type: 'decoupled', text: null, qr: approach === 'code' ? qr : null }
}
