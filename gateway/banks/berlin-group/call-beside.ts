/** Calls what stands beside the standard at a bank: authorisation servers and images. */
import { newBankRequestId } from '../../foundation/ids.ts'
import type { Bank } from '../bank.ts'
import { BankUnreachable } from '../bank-refusal.ts'
import type { BankRequest, BankResponse } from '../connector-tools.ts'
import type { Line } from './line.ts'
import { refusalOfSilence } from './refusals.ts'

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
