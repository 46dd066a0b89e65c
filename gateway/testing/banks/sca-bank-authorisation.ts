/** An authorisation at the bank whose users sign when a test says so: what it is, the way to it, how long it lasts. */
import type { AuthorisationAsked, StartedAuthorisation } from '../../banks/connector/sca-authorisation.ts'

/** An authorisation as the bank has it; `targets` are the bank's ids of the payments that it signs, or withdraws. */
export type AtSigningBank = {
  readonly id: string
  readonly what: 'signature' | 'withdrawal'
  readonly userId: string | null
  readonly targets: readonly string[]
  readonly asked: AuthorisationAsked
  /** Business time. */
  readonly endsAt: Temporal.Instant
  /** Whether the answer that told of it was lost. */
  readonly isLost: boolean
  truth: 'open' | 'signed' | 'refused' | 'cancelled' | 'lapsed'
}

/** How users sign: on the bank's pages, by a code in their app, or in an app that asks them by itself. */
export type WayOfSigning = 'redirect' | 'code' | 'app'

/** Longer than users take, shorter than we look. */
export const LASTS_SECONDS = { redirect: 600, app: 600, code: 200 } as const
const FAR_AHEAD = Temporal.Instant.from('2100-01-01T00:00:00Z')

/** What a user is led to. */
export function wayTo(way: WayOfSigning, id: string): StartedAuthorisation['way'] {
  if (way === 'redirect') {
    return { type: 'redirect', url: `https://bank.example/${id}` }
  }
  const qr = { image: 'iVBORw0KGgo=', code: id, kind: 'Dynamic', validUntil: FAR_AHEAD } as const
  return { type: 'decoupled', text: null, qr: way === 'code' ? qr : null }
}
