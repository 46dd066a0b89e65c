/** The dependencies of the sandbox operations. */
import type { ScaSubjects } from '../authorisations/sca-session.ts'
import { apiError } from '../platform/http/errors/api-error.ts'
import type { ClockMoveContext } from './move-clock.ts'
import type { SandboxControl } from './sandbox-control.ts'

export type Simulation = ClockMoveContext & { readonly kinds: ScaSubjects }

/** A gateway in sandbox mode may run without the sandbox bank, in tests of partners for example: throws then. */
export function requireSandboxBank({ bank }: Pick<Simulation, 'bank'>): SandboxControl {
  if (bank === null) {
    throw apiError('unavailable', 'This gateway runs without a sandbox bank (HAVN_SANDBOX_BANK_URL is not set)')
  }
  return bank
}
