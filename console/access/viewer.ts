/** Defines who looks at a page of the console, and whose data they see: every query takes its partner from here. */
import type { ConsoleSession } from './console-session.ts'

export type Viewer = {
  readonly session: ConsoleSession
  /** The token of the browser's cookie, from which the tokens of forms are derived. */
  readonly token: string
  /** Null for operators. */
  readonly partnerName: string | null
  /** The path of the page. */
  readonly path: string
  readonly isSandbox: boolean
  /** Where the clock of the sandbox has been moved; undefined while business time is wall time. */
  readonly businessTime?: Temporal.Instant
}

/**
 * The partner whose data a query may return; null means all partners. A partner's user sees their own partner,
 * whatever they ask for; an operator sees all of them, or the chosen one.
 */
export function partnerFilterOf({ session }: Viewer, chosen?: string): string | null {
  return session.partnerId ?? chosen ?? null
}
