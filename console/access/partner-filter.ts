/** Decides whose data a user sees: every query of the console takes its partner from here. */
import type { Viewer } from './viewer.ts'

/**
 * The partner whose data a query may return; null means all partners. A partner's user sees their own partner,
 * whatever they ask for; an operator sees all of them, or the chosen one.
 */
export function partnerFilterOf({ session }: Pick<Viewer, 'session'>, chosen?: string): string | null {
  return session.partnerId ?? chosen ?? null
}
