/** Defines who looks at a page of the console. */
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
