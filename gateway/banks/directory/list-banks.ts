/** Lists the banks of a country to partners. */
import type { Bank as BankShown } from '../../../contract/banks.ts'
import type { BankDirectory } from './bank-directory.ts'
import { bankShown } from './get-bank.ts'

/** The banks by name; none where the gateway serves no bank. */
export async function listBanks(banks: BankDirectory, countryCode: string): Promise<BankShown[]> {
  const found = await banks.inCountry(countryCode.toUpperCase())
  return await Promise.all(found.map(async (bank) => bankShown(bank, await banks.statusOf(bank))))
}
