/** Selects one of the methods that a bank offers for an authorisation (NextGenPSD2: `authenticationMethodId`). */
import type { BankCaller } from '../../../connector/connector.ts'
import type { ScaApproachDetails } from '../../../connector/sca-authorisation.ts'
import type { BankClient } from '../transport/bank-client.ts'
import { parseAnswer, psuIdentityHeaders, sendRequest } from '../transport/send-request.ts'
import { parseAuthorisation } from '../wire.ts'
import { readChosenApproach } from './read-sca-approach.ts'

/** An authorisation by its path, and the chosen method. */
export type MethodSelection = { readonly name: string; readonly where: string; readonly methodId: string }

/** Returns the approach that follows. Throws `BankError`, of the kind `unsupported` where the user's codes are required. */
export async function selectScaMethod(
  line: BankClient,
  caller: BankCaller,
  { name, where, methodId }: MethodSelection,
): Promise<ScaApproachDetails> {
  const question = {
    operation: `select${name}ScaMethod`,
    purpose: 'authorisation',
    method: 'PUT',
    path: where,
    headers: psuIdentityHeaders(caller),
    body: { authenticationMethodId: methodId },
  } as const
  const response = await sendRequest(line.fetch, caller, question)
  const answer = parseAnswer(line, { bank: caller.bank, question, response }, parseAuthorisation)
  return await readChosenApproach(line, caller, { started: answer, headers: response.headers })
}
