/** Calls what stands beside the standard at a bank: authorisation servers and images. */
import { newBankRequestId } from '../../platform/ids.ts'
import { BankUnreachable } from '../connector/bank-error.ts'
import type { BankRequest, BankResponse } from '../connector/connector-dependencies.ts'
import type { Bank } from '../directory/bank.ts'
import type { Line } from '../standards/berlin-group/transport/bank-client.ts'
import { refusalOfSilence } from '../standards/berlin-group/transport/bank-errors.ts'

type Call = Pick<BankRequest, 'operation' | 'method' | 'url' | 'body'> & {
  readonly headers?: Readonly<Record<string, string>>
}

/** Calls it, and leaves the judgement of the answer to the caller. */
export async function callBeside({ plainFetch }: Line, bank: Bank, call: Call): Promise<BankResponse> {
  const headers = { accept: 'application/json', ...call.headers, 'x-request-id': newBankRequestId() }
  return await plainFetch(bank, { ...call, headers }).catch((error: unknown) => {
    throw error instanceof BankUnreachable ? refusalOfSilence('authorisation', error) : error
  })
}
