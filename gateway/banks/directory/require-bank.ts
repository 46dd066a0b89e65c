/** Finds an enabled bank or throws. */
import { apiError } from '../../platform/http/errors/api-error.ts'
import type { Bank } from './bank.ts'
import type { BankDirectory } from './bank-directory.ts'

/** The bank with this BIC. Throws `unavailable` when it is not served at present. */
export async function requireBank(banks: Pick<BankDirectory, 'find'>, bic: string): Promise<Bank> {
  const bank = await banks.find(bic)
  if (bank === undefined) {
    throw apiError('unavailable', `The bank ${bic} is not available at present; try again later`)
  }
  return bank
}
