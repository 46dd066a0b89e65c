/** Sends requests outside the standard: to a bank's authorisation servers and for images. */
import { newBankRequestId } from '../../../../platform/ids.ts'
import { BankUnreachable } from '../../../connector/bank-error.ts'
import type { BankRequest, BankResponse } from '../../../connector/connector-dependencies.ts'
import type { Bank } from '../../../directory/bank.ts'
import type { BankClient } from './bank-client.ts'
import { noAnswerError } from './bank-errors.ts'

type Call = Pick<BankRequest, 'operation' | 'method' | 'url' | 'body'> & {
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends the request and returns any answer. Throws `BankError` without an answer. */
export async function sendUnsignedRequest({ plainFetch }: BankClient, bank: Bank, call: Call): Promise<BankResponse> {
  const headers = { accept: 'application/json', ...call.headers, 'x-request-id': newBankRequestId() }
  return await plainFetch(bank, { ...call, headers }).catch((error: unknown) => {
    throw error instanceof BankUnreachable ? noAnswerError('authorisation', error) : error
  })
}
