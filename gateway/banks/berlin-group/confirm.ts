/** Hands a bank the code that a browser brought back, where a signature counts only then. */

import { BankRefusal } from '../connector/bank-error.ts'
import type { BankCaller } from '../connector/connector.ts'
import { redact } from '../connector/redact.ts'
import type { Line } from '../standards/berlin-group/transport/bank-client.ts'
import { ask, send } from '../standards/berlin-group/transport/send-request.ts'
import { readAuthorisation } from '../standards/berlin-group/wire.ts'
import { ownAddressOf } from '../transport/bank-urls.ts'

/** An authorisation by its path, and the code that came for it. */
type Confirmation = { readonly name: string; readonly where: string; readonly code: string }

/** Longer than any code of a bank; more of it comes from somebody else. */
const CODE_MAX = 512

/** After these words no code is wanted any more. */
const FINAL: ReadonlySet<string> = new Set(['finalised', 'failed', 'exempted'])

/**
 * Hands it over while the bank waits for one, and at no other time: wrong codes are counted there, and a forged one must
 * not spoil a signature that is still to be given. A browser may be back before the bank's answers know of it: then the
 * code is refused as `unavailable`, to be brought again. A code that the bank does not take is no failure of ours; how
 * the authorisation stands then, its status tells.
 */
export async function confirm(line: Line, caller: BankCaller, { name, where, code }: Confirmation): Promise<void> {
  if (code === '' || code.length > CODE_MAX) {
    return
  }
  const reading = { operation: `get${name}Authorisation`, purpose: 'status', method: 'GET', path: where } as const
  const { scaStatus, _links } = await ask(line.fetch, caller, reading, readAuthorisation)
  if (FINAL.has(scaStatus)) {
    return
  }
  if (scaStatus !== 'unconfirmed') {
    throw new BankRefusal('unavailable', `The bank says ${redact(scaStatus)}, and does not wait for a code yet`)
  }
  const link = _links?.confirmation
  await send(line.fetch, caller, {
    operation: `confirm${name}Authorisation`,
    purpose: 'confirmation',
    method: 'PUT',
    path: where,
    ...(link === undefined ? {} : { url: ownAddressOf(caller.bank, link.href) }),
    body: { confirmationCode: code },
  }).catch((error: unknown) => {
    if (!(error instanceof BankRefusal && error.kind === 'access-denied')) {
      throw error
    }
  })
}
