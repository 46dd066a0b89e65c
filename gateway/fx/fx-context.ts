/** The application context with the configured FX provider. */
import type { Context } from '../context.ts'
import type { FxProvider } from './providers/fx-provider.ts'

export type FxContext = Context & {
  /** Null when none is configured; operations that need one are not offered then. */
  readonly fx: FxProvider | null
}
