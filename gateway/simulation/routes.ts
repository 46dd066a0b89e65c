/** Serves what only the sandbox has. */
import { operations } from '../../contract/operations.ts'
import type { PartnerCaller } from '../auth/partner.ts'
import type { Context } from '../context.ts'
import type { Serve } from '../foundation/http/served-operation.ts'
import { type Movable, moveClock, showClock } from './move-clock.ts'

export function serveSimulation<Consent>(
  serve: Serve<PartnerCaller, Consent>,
  context: Context,
  movable: Movable,
): void {
  serve(operations.getSandboxClock, async () => showClock(context))
  serve(operations.moveSandboxClock, ({ body }) => moveClock(context, movable, body))
}
