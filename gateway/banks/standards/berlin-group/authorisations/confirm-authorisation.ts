/** Sends the confirmation code of a callback to banks where SCA takes effect only with it. */

import { BankError } from '../../../connector/bank-error.ts'
import { isBankError } from '../../../connector/bank-error-classification.ts'
import type { BankCaller } from '../../../connector/connector.ts'
import { redactAccountNumbers } from '../../../connector/redact-account-numbers.ts'
import { requireApiUrl } from '../../../transport/bank-urls.ts'
import type { BankClient } from '../transport/bank-client.ts'
import { sendAndParse, sendChecked } from '../transport/send-request.ts'
import { hrefOf, parseAuthorisation } from '../wire.ts'

/** An authorisation by its path, and its confirmation code. */
type Confirmation = { readonly name: string; readonly where: string; readonly code: string }

/** Longer than any code of a bank; longer values are forged. */
const CODE_MAX = 512

/** With these statuses no code is required any more. */
const FINAL: ReadonlySet<string> = new Set(['finalised', 'failed', 'exempted'])

/**
 * Sends the code only while the bank waits for one: banks count wrong codes, and a forged one must not spoil a pending
 * signature. The callback may arrive before the bank reports that it waits for the code: then `unavailable` is thrown,
 * and the same code may be sent again. A code that the bank rejects causes no error; the authorisation's status shows
 * the result.
 */
export async function confirmAuthorisation(
  line: BankClient,
  caller: BankCaller,
  { name, where, code }: Confirmation,
): Promise<void> {
  if (code === '' || code.length > CODE_MAX) {
    return
  }
  const reading = { operation: `get${name}Authorisation`, purpose: 'status', method: 'GET', path: where } as const
  const { scaStatus, _links } = await sendAndParse(line, caller, reading, parseAuthorisation)
  if (FINAL.has(scaStatus)) {
    return
  }
  if (scaStatus !== 'unconfirmed') {
    throw new BankError(
      'unavailable',
      `The bank says ${redactAccountNumbers(scaStatus)} and does not accept a confirmation code yet`,
    )
  }
  const href = hrefOf(_links, 'confirmation')
  await sendChecked(line.fetch, caller, {
    operation: `confirm${name}Authorisation`,
    purpose: 'confirmation',
    method: 'PUT',
    path: where,
    ...(href === undefined ? {} : { url: requireApiUrl(caller.bank, href) }),
    body: { confirmationCode: code },
  }).catch((error: unknown) => {
    if (!isBankError(error, 'access-denied')) {
      throw error
    }
  })
}
