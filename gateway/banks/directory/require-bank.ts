/** Finds a bank that something is to be asked of now. */
import { refuse } from '../../platform/http/errors/api-error.ts'
import type { Bank } from './bank.ts'
import type { BankDirectory } from './bank-directory.ts'

/** The bank with this BIC. Throws `unavailable` when it is not served at this moment. */
export async function requireBank(banks: Pick<BankDirectory, 'find'>, bic: string): Promise<Bank> {
  const bank = await banks.find(bic)
  if (bank === undefined) {
    throw refuse('unavailable', `The bank ${bic} is not served at this moment`)
  }
  return bank
}
