/** What the rooms that deal in exchange get besides everybody's surroundings. */
import type { Context } from '../context.ts'
import type { FxProvider } from './provider/fx-provider.ts'

export type FxContext = Context & {
  /** Null where none is configured: whatever needs one is not offered then. */
  readonly fx: FxProvider | null
}
